import { z } from "zod";

import { ADJUDICATION_STATUSES, JUDGMENTS } from "@/lib/core/domain/judgment";

import { lenientParserOf } from "./lenient-parse";
import { copyPlainValue } from "./plain-value";

const text = z.string().nullish();
const filled = z.string().refine((value) => value.trim() !== "", "must not be blank");
const categories = z.array(z.string()).nullish();

/** Reads `feedback/adjudications/<trial>/<decision>.json`. */
export const parseAdjudication = lenientParserOf(
  copyPlainValue,
  z.object({
    decision_id: text,
    trial_id: filled,
    experiment_id: text,
    status: z.enum(ADJUDICATION_STATUSES),
    final_judgment: z.enum(JUDGMENTS).nullish(),
    categories,
    decided_by: text,
    rationale: text,
    created_at: text,
  }),
);

/** Reads `_annotations/<trial>.json` next to the records. */
export const parseTriage = lenientParserOf(
  copyPlainValue,
  z.object({ verdict: z.enum([...JUDGMENTS, "note"]), notes: text, timestamp: text }),
);

/** Reads `feedback/reviewers/<reviewer>.json`. */
export const parseReviewer = lenientParserOf(
  copyPlainValue,
  z.object({
    reviewer_id: filled,
    discipline: text,
    calibration_status: z.enum(["uncalibrated", "provisional", "calibrated"]).nullish(),
    calibration_version: text,
  }),
);

/** Reads `feedback/calibrations/<reviewer>/<version>.json`. */
export const parseCalibration = lenientParserOf(
  copyPlainValue,
  z.object({
    reviewer_id: text,
    calibration_version: text,
    total_cases: z.number().int().min(0).nullish(),
    agreement_rate: z.number().min(0).max(1).nullish(),
    passed: z.boolean().nullish(),
  }),
);
