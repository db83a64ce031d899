import type { Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";

import { CLASSES, type Owner, type FailureClass } from "./classes";
import type { FailureVerdict } from "./rules";
import type { Signal } from "./signals";

/** True if rules must explain why a trial did not pass. Several rewards without a headline are neither a pass nor a failure. */
export function hasFailed({ outcome, rewards }: Pick<Trial, "outcome" | "rewards">): boolean {
  if (outcome === "unscored" && rewards !== null && rewards.size > 1) return false;
  return outcome !== "passed" && outcome !== "running";
}

/**
 * True for a trial that did not fail and yet has an exception, which rules classify too. Otherwise a score without the failed
 * trials of a class, but with its passed ones, would favour agents that meet it often.
 */
export function hasPassedInSpite(
  trial: Pick<Trial, "state" | "outcome" | "rewards" | "exception" | "steps">,
): boolean {
  return trial.state === "finished" && !hasFailed(trial) && selectFailure(trial) !== null;
}

/** `none`: it passed, still runs, or has no headline reward. `pending`: it failed and is not classified yet. */
export type TrialFailure =
  | { readonly state: "none" | "pending" }
  | {
      readonly state: "known";
      readonly failureClass: FailureClass;
      readonly owner: Owner;
      readonly rule: string | null;
      readonly evidence: readonly Signal[];
    };

const MAX_TEXT = 400;

/** @param verdict - null while the trial is not classified, and for one that did not fail */
export function describeFailure(
  trial: Pick<Trial, "outcome" | "rewards">,
  verdict: Pick<FailureVerdict, "failureClass" | "rule" | "evidence"> | null,
): TrialFailure {
  if (!hasFailed(trial)) return { state: "none" };
  if (verdict === null) return { state: "pending" };
  const { failureClass, rule } = verdict;
  const evidence = verdict.evidence.map((one) => ({
    ...one,
    text: one.text.slice(0, MAX_TEXT).toWellFormed(),
  }));
  return { state: "known", failureClass, owner: CLASSES[failureClass].owner, rule, evidence };
}
