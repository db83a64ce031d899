import { fitPage } from "@/lib/domain/page-bytes";
import { TextBounder } from "@/lib/domain/text-bounder";
import { dumpPythonJson } from "@/lib/scoring";

import type { PartialEvaluation, TrialEvaluation } from "./types";
import { type EvaluatedTrial, writeEvaluation } from "./write-evaluation";

/** What the evaluation contract says of a trial, as a page shows it: lists and texts have bounds, the breakdown is counted. */
export interface ShownEvaluation extends Pick<TrialEvaluation, "provenance" | "gates" | "issues"> {
  /** The evaluation, or what is known of it where a gate is unknown; null where there is neither. */
  readonly stated: Omit<PartialEvaluation, "breakdown"> | null;
  readonly isPartial: boolean;
  /** As Python writes it; null without an evaluation, partial or not. */
  readonly reward: string | null;
  /** Entries of the breakdown; null where there is none. */
  readonly nBreakdown: number | null;
  /** The text of {@link writeEvaluation}, or the beginning of it. */
  readonly json: string;
  readonly isJsonCut: boolean;
  /** Issues of the evaluation, also where fewer are listed. */
  readonly nIssues: number;
  /** What is not here of the lists and texts, in words; null when all is. */
  readonly cutNote: string | null;
}

/** Longer texts help nobody on a page; they are downloaded. */
const MOST_JSON_BYTES = 300_000;
/** Entries of each list, and of all of them. */
const MOST_ITEMS = 100;
const MOST_BYTES = 200_000;

export function showEvaluation(evaluated: EvaluatedTrial): ShownEvaluation {
  const { evaluation, partial, provenance, gates, issues } = evaluated.result;
  const whole = evaluation ?? partial;
  const json = writeEvaluation(evaluated);
  const shownJson = fitPage(json, MOST_JSON_BYTES);
  const bounder = new TextBounder(MOST_ITEMS, MOST_BYTES);
  const shown = bounder.bound({
    stated: whole === null ? null : { ...whole, breakdown: null },
    provenance,
    gates,
    issues,
  });
  return {
    ...shown,
    isPartial: partial !== null,
    reward: whole === null ? null : dumpPythonJson(whole.reward),
    nBreakdown: whole?.breakdown ? Object.keys(whole.breakdown).length : null,
    json: shownJson,
    isJsonCut: shownJson !== json,
    nIssues: issues.length,
    cutNote: bounder.describe(),
  };
}
