import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { formatUtc } from "./clock";
import { prepareJobConfig, prepareTrialConfigFile } from "./harbor-config";
import { prepareJobLock, prepareTrialLock } from "./harbor-lock";
import { prepareTrialResult } from "./harbor-result";
import { prepareJobResult } from "./job-figures";
import { formatJson, type Json } from "./json-text";
import type { JobRecord, SampleFile, TrialRecord } from "./record";

/** Replaces or drops a generated file, given its path inside the job; null drops it, for damaged and edited jobs. */
export type FileEdit = (path: string, content: string | Buffer) => string | Buffer | null;

function digestTasks(job: JobRecord, salt: string): Map<string, string> {
  return new Map(
    job.tasks.map((task) => [
      task,
      createHash("sha256")
        .update(`${salt}/${job.dataset.name ?? "local"}/${task}`)
        .digest("hex"),
    ]),
  );
}

function trialFiles(
  job: JobRecord,
  trial: TrialRecord,
  digests: ReadonlyMap<string, string>,
  checksums: ReadonlyMap<string, string>,
): SampleFile[] {
  const json = (path: string, value: Json): SampleFile => ({ path, content: formatJson(value) });
  const done = trial.state === "complete";
  return [
    json("config.json", prepareTrialConfigFile(job, trial)),
    ...(job.flavour === "0.22.0" ? [json("lock.json", prepareTrialLock(job, trial, digests))] : []),
    { path: "trial.log", content: trial.log },
    ...(trial.exception === null ? [] : [{ path: "exception.txt", content: trial.exception.traceback }]),
    ...trial.files,
    ...(done ? [json("result.json", prepareTrialResult(job, trial, checksums))] : []),
  ];
}

/** Every file of a job, relative to the job's folder, in the order a runner would write them. */
function* prepareJobFiles(job: JobRecord): Generator<SampleFile> {
  const digests = digestTasks(job, "task");
  const checksums = digestTasks(job, "checksum");
  yield { path: "config.json", content: formatJson(prepareJobConfig(job)) };
  if (job.flavour !== "legacy")
    yield {
      path: "lock.json",
      content: formatJson(prepareJobLock(job, formatUtc(job.startedAt + 3157), digests)),
    };
  yield { path: "job.log", content: job.log };
  for (const trial of job.trials) {
    if (trial.state === "pending") continue;
    for (const file of trialFiles(job, trial, digests, checksums))
      yield { path: `${trial.name}/${file.path}`, content: file.content };
  }
  yield* job.files;
  yield { path: "result.json", content: formatJson(prepareJobResult(job)) };
}

/** `prepareJobFiles` with the job's name in front and `change` applied; dropped files are left out. */
export function* prepareChangedFiles(
  job: JobRecord,
  change: FileEdit = (_, content) => content,
): Generator<SampleFile> {
  for (const file of prepareJobFiles(job)) {
    const content = change(file.path, file.content);
    if (content !== null) yield { path: `${job.name}/${file.path}`, content };
  }
}

/** Writes files below `root`, synchronously, making folders as needed. */
export function writeFiles(root: string, files: Iterable<SampleFile>): void {
  const made = new Set<string>();
  for (const { path, content } of files) {
    const target = join(root, path);
    const folder = dirname(target);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    writeFileSync(target, content);
  }
}
