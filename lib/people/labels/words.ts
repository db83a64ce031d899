import { formatMargin, formatPlural, formatReward } from "@/lib/core/format/number";
import { computeMargin, type CorrectedScore } from "@/lib/core/stats";

import type { DrawProblem } from "./draws";
import type { PartKind } from "./part";
import { LEFT_OUT_REASONS, type LeftOut, type LeftOutReason } from "./sample";

export function describeMargin(
  score: Pick<CorrectedScore, "corrected" | "low" | "high">,
  decimals = 3,
): string {
  const margin = computeMargin({ ...score, value: score.corrected }, decimals);
  return formatMargin(margin, score, (value) => formatReward(value, decimals));
}

export const DRAWN_WORDS: Readonly<Record<DrawReason, string>> = {
  "by-hand": "not drawn by chance",
  "only-not-passed": "drawn only from trials that did not pass",
  "only-passed": "drawn only from trials that passed",
  "by-result": "drawn from trials chosen by their result",
  "other-draw": "drawn from a part of these trials",
  "unknown-list": "drawn from a list that is not open",
  "changed-list": "drawn from other trials than the list has now",
  "list-order": "drawn from a list whose order they follow, and not all are judged",
  "unreadable-trials": "drawn with trials that cannot be read",
};

const REASON_WORDS: Readonly<
  Record<Exclude<LeftOutReason, DrawReason>, readonly [one: string, several: string]>
> = {
  deferred: ["trial was deferred", "trials were deferred"],
  conflict: ["trial is in conflict", "trials are in conflict"],
  waiting: ["trial waits for another review", "trials wait for another review"],
  stale: ["label is of a trial that changed since", "labels are of trials that changed since"],
  "no-verdict": ["trial has no verdict of the verifier", "trials have no verdict of the verifier"],
  lost: ["trial is in no open folder", "trials are in no open folder"],
};

type DrawReason = "by-hand" | "other-draw" | PartKind | DrawProblem;

function isOfDraw(reason: LeftOutReason): reason is DrawReason {
  return reason in DRAWN_WORDS;
}

/** For example `Its trials were not drawn by chance, so they correct no score.` */
export function describeDrawReason(reason: DrawReason): string {
  return `Its trials were ${DRAWN_WORDS[reason]}, so they correct no score.`;
}

export function describeDrawOutlook(reason: "by-hand" | PartKind): string {
  const advice =
    reason === "by-hand" ? "Choose a random sample" : "Draw from the list without filters by result";
  return `They are ${DRAWN_WORDS[reason]}, so they correct no score. ${advice}, or choose another goal.`;
}

/** For example `3 labels were not drawn by chance`, largest count first. */
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
