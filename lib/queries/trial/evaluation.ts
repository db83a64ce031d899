import "server-only";

import type { TrialJudgments } from "@/lib/annotations";
import type { JobHead } from "@/lib/store";
import type { TrialToEvaluate } from "@/lib/trial-evaluation";
import type { EvaluationRequest } from "@/lib/trial-reading";

import { getJudgedOfJob } from "../annotations/judged";
import { getStore } from "../shell/catalog";
import type { LocatedTrial } from "./locate";

/** What reviewers say of a trial; null when nobody judged it or the store cannot be read, as the review panel then says. */
export async function readJudgments({ job, trial }: LocatedTrial): Promise<TrialJudgments | null> {
  const judged = await getJudgedOfJob(await getStore(), job.rowId);
  return judged?.get(trial.key)?.judgments ?? null;
}

/** What a reader is asked for a trial's evaluation; `root` is the opened folder's label, empty when it has none. */
export function requestEvaluation(
  { key, name, uuid }: Pick<JobHead, "key" | "name" | "uuid">,
  root: string,
  trial: Pick<TrialToEvaluate, "trial" | "path">,
  judgments: TrialJudgments | null,
): EvaluationRequest {
  return {
    ...trial,
    job: { key, name, uuid },
    root: root === "" ? null : root,
    judgments: judgments?.latest ?? [],
  };
}
