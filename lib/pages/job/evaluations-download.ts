import "server-only";
import { writeEvaluation, writeEvaluationLine } from "@/lib/core/trial-evaluation";
import type { TrialsParams } from "@/lib/pages/trials/address";
import { type EvaluationRequest, readApart, unlessReadingFails } from "@/lib/read/trial-reading";
import { describeUnread, readEvaluations } from "@/lib/read/trial-reading/evaluation";

import { getStoreOfJob } from "../shell/catalog";
import { type FileDownload, readFirst } from "../shell/download";
import { readDecisions, readJudgments, requestEvaluation } from "../trial/evaluation";
import { locateFolder, requireTrial } from "../trial/locate";
import { type OpenTrials, openTrials } from "./trials-download";

/** Streams one evaluation per line. @throws NotFoundError, StoreError while trials are not read */
export async function getEvaluationsDownload(jobKey: string, filter: TrialsParams): Promise<FileDownload> {
  const trials = await openTrials(await getStoreOfJob(jobKey), jobKey, filter);
  return {
    name: `${trials.job.name}-evaluations.jsonl`,
    contentType: "application/x-ndjson; charset=utf-8",
    pieces: await readFirst(writeLines(trials)),
  };
}

async function* writeLines({ job, root, rows }: OpenTrials): AsyncGenerator<string, void> {
  const decisions = await readDecisions();
  const requests = (async function* () {
    for await (const { trial, judgments } of rows) {
      yield requestEvaluation(
        job,
        root ?? "",
        { trial, path: locateFolder(job, trial) },
        judgments,
        decisions,
      );
    }
  })();
  for await (const [, line] of readEvaluations(requests, (request) => readText(request, "line"))) yield line;
}

/** Returns an error text for an unreadable trial, since one trial must not end the download. */
function readText(request: EvaluationRequest, form: "file" | "line"): Promise<string> {
  return unlessReadingFails(readApart("evaluation-text", request.path ?? "", request, form), (error) => {
    const unread = { ...request, result: describeUnread(request, error) };
    return form === "file" ? writeEvaluation(unread) : writeEvaluationLine(unread);
  });
}

/** @throws NotFoundError */
export async function getEvaluationFile(jobKey: string, trialKey: string): Promise<FileDownload> {
  const located = await requireTrial(jobKey, trialKey);
  const { job, trial, place } = located;
  const judgments = await readJudgments(located);
  const request = requestEvaluation(
    job,
    place.root.label,
    { trial, path: place.path },
    judgments,
    await readDecisions(),
  );
  return {
    name: `${trial.trialName}-evaluation.json`,
    contentType: "application/json; charset=utf-8",
    pieces: await readText(request, "file"),
  };
}
