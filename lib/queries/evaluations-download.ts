import "server-only";

import type { JobFilter } from "@/lib/domain/job-filter";
import {
  readEvaluations,
  type TrialEvaluation,
  type TrialToEvaluate,
  writeEvaluationLine,
} from "@/lib/trial-evaluation";
import { readApart } from "@/lib/trial-reading";

import { getStore } from "./catalog";
import { type FileDownload, readFirst } from "./download";
import type { TrialsRow } from "./job-page-trials";
import { formatEvaluation, readJudgments, readTrialEvaluation } from "./trial-page-evaluation";
import { locateFolder, locateTrial } from "./trial-page-locate";
import { type OpenTrials, openTrials } from "./trials-download";

/**
 * The evaluations of a job's trials that fit a filter, in its order, a line each.
 *
 * @throws NotFoundError when no such job is open
 * @throws StoreError while its trials are not read
 */
export async function getEvaluationsDownload(jobKey: string, filter: JobFilter): Promise<FileDownload> {
  const trials = await openTrials(await getStore(), jobKey, filter);
  return {
    name: `${trials.entry.job.name}-evaluations.jsonl`,
    contentType: "application/x-ndjson; charset=utf-8",
    pieces: await readFirst(writeLines(trials)),
  };
}

async function* writeLines({ entry, root, rows }: OpenTrials): AsyncGenerator<string, void> {
  const { job } = entry;
  for await (const [{ trial }, result] of readEvaluations(locateAll(entry, rows), evaluateApart)) {
    yield writeEvaluationLine({ job, root, trial, result });
  }
}

function evaluateApart({ trial, path, judgments }: TrialToEvaluate): Promise<TrialEvaluation> {
  return readApart("evaluation", path ?? "", { trial, path, judgments });
}

async function* locateAll(entry: OpenTrials["entry"], rows: AsyncIterable<TrialsRow>) {
  for await (const { trial, judgments } of rows) {
    yield { trial, path: locateFolder(entry, trial), judgments: judgments?.latest ?? [] };
  }
}

/**
 * The evaluation of one trial, as its page shows it.
 *
 * @throws NotFoundError when no open folder holds the trial
 */
export async function getEvaluationFile(jobKey: string, trialKey: string): Promise<FileDownload> {
  const located = await locateTrial(jobKey, trialKey);
  const result = await readTrialEvaluation(located, await readJudgments(located));
  return {
    name: `${located.trial.trialName}-evaluation.json`,
    contentType: "application/json; charset=utf-8",
    pieces: formatEvaluation(located, result),
  };
}
