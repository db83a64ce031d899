import { z } from "zod";

import { ADJUDICATION_STATUSES, JUDGMENTS } from "@/lib/domain/judgment";

import { type LenientParse, parseLeniently } from "./lenient-parse";
import { copyPlainValue } from "./plain-value";

const text = z.string().nullish();
const filled = z.string().refine((value) => value.trim() !== "", "must not be blank");
const categories = z.array(z.string()).nullish();

const adjudicationSchema = z.object({
  decision_id: text,
  trial_id: filled,
  experiment_id: text,
  status: z.enum(ADJUDICATION_STATUSES),
  final_judgment: z.enum(JUDGMENTS).nullish(),
  categories,
  decided_by: text,
  rationale: text,
  created_at: text,
});

/** `feedback/adjudications/<trial>/<decision>.json`. */
export type AdjudicationFile = z.infer<typeof adjudicationSchema>;

/** Reads a stored adjudication; its trial and status are required. */
export function parseAdjudication(value: unknown): LenientParse<AdjudicationFile> {
  return parseLeniently(adjudicationSchema, copyPlainValue(value));
}

const triageSchema = z.object({
  verdict: z.enum([...JUDGMENTS, "note"]),
  notes: text,
  timestamp: text,
});

/** `_annotations/<trial>.json` beside the records. */
export type TriageFile = z.infer<typeof triageSchema>;

/** Reads a triage verdict; the verdict itself is required. */
export function parseTriage(value: unknown): LenientParse<TriageFile> {
  return parseLeniently(triageSchema, copyPlainValue(value));
}

const reviewerSchema = z.object({
  reviewer_id: filled,
  discipline: text,
  calibration_status: z.enum(["uncalibrated", "provisional", "calibrated"]).nullish(),
  calibration_version: text,
});

/** `feedback/reviewers/<reviewer>.json`. */
export type ReviewerFile = z.infer<typeof reviewerSchema>;

/** Reads a reviewer's profile; the reviewer's id is required. */
export function parseReviewer(value: unknown): LenientParse<ReviewerFile> {
  return parseLeniently(reviewerSchema, copyPlainValue(value));
}

const calibrationSchema = z.object({
  reviewer_id: text,
  calibration_version: text,
  total_cases: z.number().int().min(0).nullish(),
  agreement_rate: z.number().min(0).max(1).nullish(),
  passed: z.boolean().nullish(),
});

/** `feedback/calibrations/<reviewer>/<version>.json`. */
export type CalibrationFile = z.infer<typeof calibrationSchema>;

/** Reads a stored calibration; nothing is required. */
export function parseCalibration(value: unknown): LenientParse<CalibrationFile> {
  return parseLeniently(calibrationSchema, copyPlainValue(value));
}
