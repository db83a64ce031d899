import "server-only";

import type { TrialJudgments } from "@/lib/annotations";
import { describeUnread, showEvaluation, type ShownEvaluation } from "@/lib/trial-evaluation";
import { type EvaluationRequest, readApart, unlessReadingFails } from "@/lib/trial-reading";

import { getJudgedOfJob } from "../annotations/judged";
import { getStore } from "../shell/catalog";
import type { LocatedTrial } from "./locate";

/** What reviewers say of a trial; null when nobody judged it or the store cannot be read, as the review panel then says. */
export async function readJudgments({ entry, trial }: LocatedTrial): Promise<TrialJudgments | null> {
  const judged = await getJudgedOfJob(await getStore(), entry.id);
  return judged?.get(trial.key)?.judgments ?? null;
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
