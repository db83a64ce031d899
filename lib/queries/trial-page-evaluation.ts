import "server-only";

import { getAnnotationStore, judgmentsByTrial } from "@/lib/annotations";
import type { TrialJudgments } from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";
import { dumpPythonJson } from "@/lib/scoring";
import {
  type EvaluatedTrial,
  prepareEvaluation,
  type TrialEvaluation,
  type TrialToEvaluate,
} from "@/lib/trial-evaluation";
import { readApart } from "@/lib/trial-reading";

import { type LocatedTrial, locateTrial } from "./trial-page-locate";

/** The Evaluation tab. */
export interface EvaluationPanel {
  readonly result: TrialEvaluation;
  /** The evaluated reward as Python writes it; null without an evaluation, partial or not. */
  readonly reward: string | null;
  /** The evaluation as {@link formatEvaluation} writes it, or the beginning of it. */
  readonly json: string;
  readonly isCut: boolean;
}

/** Longer texts help nobody on a page; they are downloaded. */
const MOST_SHOWN = 100_000;

/**
 * The Evaluation tab of what its page has evaluated already.
 *
 * @throws NotFoundError when no open folder holds the trial
 */
export async function getEvaluationPanel(
  jobKey: string,
  trialKey: string,
  result: TrialEvaluation,
): Promise<EvaluationPanel> {
  return prepareEvaluationPanel(await locateTrial(jobKey, trialKey), result);
}

/** The Evaluation tab of a trial that was found and evaluated. */
export function prepareEvaluationPanel(trial: NamedTrial, result: TrialEvaluation): EvaluationPanel {
  const json = formatEvaluation(trial, result);
  const reward = (result.evaluation ?? result.partial)?.reward;
  return {
    result,
    reward: reward === undefined ? null : dumpPythonJson(reward),
    json: json.slice(0, MOST_SHOWN),
    isCut: json.length > MOST_SHOWN,
  };
}

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

/**
 * The evaluation of a trial with what reviewers say of it.
 *
 * @throws ReadingError when its files cannot be read as a whole
 */
export function readTrialEvaluation(
  { trial, path }: Pick<TrialToEvaluate, "trial" | "path">,
  judgments: TrialJudgments | null,
): Promise<TrialEvaluation> {
  return readApart("evaluation", path ?? "", { trial, path, judgments: judgments?.latest ?? [] });
}

/** What names a trial in its evaluation. */
type NamedTrial = Pick<LocatedTrial, "trial" | "rootLabel"> & {
  readonly entry: Pick<EvaluatedTrial, "job">;
};

/** The evaluation as indented JSON, ended by `\n`. */
export function formatEvaluation({ entry, trial, rootLabel }: NamedTrial, result: TrialEvaluation): string {
  const root = rootLabel === "" ? null : rootLabel;
  return `${JSON.stringify(prepareEvaluation({ job: entry.job, root, trial, result }), null, 2)}\n`;
}
