import { fitPage } from "@/lib/core/domain/page-bytes";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import { dumpPythonJson } from "@/lib/core/scoring";

import type { PartialEvaluation, TrialEvaluation } from "./types";
import { type EvaluatedTrial, writeEvaluation } from "./write-evaluation";

/** An evaluation for a page: lists and texts are bounded, the breakdown is only counted. */
export interface ShownEvaluation extends Pick<TrialEvaluation, "provenance" | "gates" | "issues"> {
  readonly stated: Omit<PartialEvaluation, "breakdown"> | null;
  readonly isPartial: boolean;
  /** In Python's notation; null without an evaluation, partial or not. */
  readonly reward: string | null;
  readonly nBreakdown: number | null;
  readonly json: string;
  readonly isJsonCut: boolean;
  readonly nIssues: number;
  readonly cutNote: string | null;
}

/** Longer texts are for download, not for a page. */
const MOST_JSON_BYTES = 300_000;
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
