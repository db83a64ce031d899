import { formatMargin, formatPlural, formatReward } from "@/lib/core/format/number";
import { computeMargin, type CorrectedScore } from "@/lib/core/stats";

import type { DrawProblem } from "./draws";
import type { PartKind } from "./members";
import { LEFT_OUT_REASONS, type LeftOut, type LeftOutReason } from "./sample";

export function describeMargin(
  score: Pick<CorrectedScore, "corrected" | "low" | "high">,
  decimals = 3,
): string {
  const margin = computeMargin({ ...score, value: score.corrected }, decimals);
  return formatMargin(margin, score, (value) => formatReward(value, decimals));
}

export const DRAWN_WORDS: Readonly<Record<DrawReason, string>> = {
  "by-hand": "not randomly sampled",
  "only-not-passed": "sampled only from trials that did not pass",
  "only-passed": "sampled only from trials that passed",
  "by-result": "sampled from trials chosen by their result",
  "other-draw": "sampled from a part of these trials",
  "unknown-list": "sampled from a list that is not open",
  "changed-list": "sampled from other trials than the list has now",
  "list-order": "sampled in the order of their list, and not all are judged",
  "unreadable-trials": "sampled together with unreadable trials",
};

const REASON_WORDS: Readonly<
  Record<Exclude<LeftOutReason, DrawReason>, readonly [one: string, several: string]>
> = {
  deferred: ["trial was deferred", "trials were deferred"],
  conflict: ["trial is in conflict", "trials are in conflict"],
  waiting: ["trial awaits another review", "trials await another review"],
  stale: ["label is for a trial that changed since", "labels are for trials that changed since"],
  "no-verdict": ["trial has no verifier verdict", "trials have no verifier verdict"],
  lost: ["trial is not in any open folder", "trials are not in any open folder"],
};

type DrawReason = "by-hand" | "other-draw" | PartKind | DrawProblem;

function isOfDraw(reason: LeftOutReason): reason is DrawReason {
  return reason in DRAWN_WORDS;
}

/** For example `Its trials were not randomly sampled, so they correct no score.` */
export function describeDrawReason(reason: DrawReason): string {
  return `Its trials were ${DRAWN_WORDS[reason]}, so they correct no score.`;
}

export function describeDrawOutlook(reason: "by-hand" | PartKind): string {
  const advice =
    reason === "by-hand" ? "Choose a random sample" : "Sample from the list without result filters";
  return `They are ${DRAWN_WORDS[reason]}, so they correct no score. ${advice}, or choose another goal.`;
}

/** For example `3 labels were not randomly sampled`, largest count first. */
export function listLeftOut(counts: LeftOut["counts"]): readonly string[] {
  return LEFT_OUT_REASONS.map((reason) => ({ reason, n: counts.get(reason) ?? 0 }))
    .filter(({ n }) => n > 0)
    .toSorted((a, b) => b.n - a.n)
    .map(({ reason, n }) => {
      if (!isOfDraw(reason)) return formatPlural(n, ...REASON_WORDS[reason]);
      const words = DRAWN_WORDS[reason];
      return formatPlural(n, `label was ${words}`, `labels were ${words}`);
    });
}
