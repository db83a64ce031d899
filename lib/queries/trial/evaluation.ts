import "server-only";

import { getAnnotationStore, judgmentsByTrial } from "@/lib/annotations";
import type { TrialJudgments } from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";
import { describeUnread, showEvaluation, type ShownEvaluation } from "@/lib/trial-evaluation";
import { type EvaluationRequest, readApart, unlessReadingFails } from "@/lib/trial-reading";

import type { LocatedTrial } from "./locate";

/** What reviewers say of a trial; null when nobody judged it or the store cannot be read. */
export async function readJudgments({ entry, trial }: LocatedTrial): Promise<TrialJudgments | null> {
  try {
    const judgments = await judgmentsByTrial(getAnnotationStore(), { job: entry.job, trials: [trial] });
    return judgments.get(trial.key) ?? null;
  } catch (error) {
    // The review panel says what is wrong with the store; the trial shows without it.
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/** The evaluation of a trial with what reviewers say of it; none and why, when its files cannot be read. */
export function readTrialEvaluation(
  located: LocatedTrial,
  judgments: TrialJudgments | null,
): Promise<ShownEvaluation> {
  const request = requestEvaluation(located, judgments);
  return unlessReadingFails(readApart("evaluation", located.path ?? "", request), (error) =>
    showEvaluation({ ...request, result: describeUnread(request, error) }),
  );
}

/** What to ask for of a trial that was found. */
export function requestEvaluation(
  {
    entry,
    trial,
    path,
    rootLabel,
  }: Pick<LocatedTrial, "trial" | "path" | "rootLabel"> & {
    readonly entry: Pick<LocatedTrial["entry"], "job">;
  },
  judgments: TrialJudgments | null,
): EvaluationRequest {
  const { key, name, id } = entry.job;
  const root = rootLabel === "" ? null : rootLabel;
  return { job: { key, name, id }, root, trial, path, judgments: judgments?.latest ?? [] };
}
