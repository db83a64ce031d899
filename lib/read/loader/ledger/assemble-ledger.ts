import type { ClockTime } from "@/lib/core/domain/clock-time";
import { type JobRecord, NO_STATS, NOTHING_STATED } from "@/lib/core/domain/job";
import type { TrialJudgmentsOnFile } from "@/lib/core/domain/judgment";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { Trial, TrialFiles } from "@/lib/core/domain/trial";

import { folderName, type LoadRoot } from "../discover/load-root";
import { statGuarded } from "../file-stamp";
import { FolderReader } from "../folder-reader";
import { computeJobState } from "../harbor/job-state";
import { reportRepeatedIds } from "../harbor/place-trials";
import type { TrialReading } from "../harbor/trial-files";
import { JudgmentFiles } from "./read-judgments";
import { readReviewers } from "./read-reviewers";
import { RunManifests } from "./run-manifests";

export function assembleLedger(
  root: LoadRoot,
  nowMs: number,
  folder: string,
  readings: readonly TrialReading[],
) {
  const reader = new FolderReader(root, folder);
  const manifests = new RunManifests(reader);
  const records = readings.map(({ record }) => manifests.complete(record));
  const { state, holdsUntilMs } = computeState(root, records, nowMs);
  const times = records.flatMap(({ time }) => [time.startedAt, time.finishedAt]).filter((at) => at !== null);
  const experiments = new Set(records.flatMap(({ jobUuid }) => jobUuid ?? []));
  const [id = null] = experiments;
  const job: Omit<JobRecord, "key"> = {
    name: folderName(root, folder),
    root: root.index,
    folder,
    kind: "ledger",
    purpose: "benchmark",
    uuid: experiments.size === 1 ? id : null,
    state,
    time: { startedAt: pickTime(times, (a, b) => a < b), finishedAt: null },
    updatedAt: pickTime(times, (a, b) => a > b),
    ...NOTHING_STATED,
  };
  return { job, records, issues: reader.issues, holdsUntilMs };
}

/** Ledgers never state that an experiment is over, so only one with open trials has a state. */
function computeState(root: LoadRoot, records: readonly TrialFiles[], nowMs: number) {
  const open = records.filter(({ state, ledger }) => state === "missing" && ledger?.version === 2);
  if (open.length === 0) return { state: "unknown", holdsUntilMs: Infinity } as const;
  const nRunning = open.filter(({ ledger }) => ledger?.status === "running").length;
  const recorded = { ...NO_STATS, counters: new Map([["n_running_trials", BigInt(nRunning)] as const]) };
  const writtenAtMs = open.reduce((latest, { folder }) => {
    const stat = statGuarded(root, folder);
    return stat.kind === "there" ? Math.max(latest, Number(stat.stats.mtimeMs)) : latest;
  }, 0);
  const stated = open.map(({ time }) => time.startedAt);
  return computeJobState({ finishedAt: null, stated, writtenAtMs, recorded }, nowMs);
}

function pickTime(
  times: readonly ClockTime[],
  isBetter: (a: number, b: number) => boolean,
): ClockTime | null {
  return times.reduce<ClockTime | null>(
    (best, time) => (best === null || isBetter(time.epochMs, best.epochMs) ? time : best),
    null,
  );
}

export function completeLedger(
  root: LoadRoot,
  folder: string,
  trials: readonly Trial[],
): { readonly issues: readonly LoadIssue[]; readonly recordedJudgments: readonly TrialJudgmentsOnFile[] } {
  const reader = new FolderReader(root, "");
  for (const { state, folder: file, ledger } of trials) {
    if (state !== "missing") continue;
    const detail = `The record says "${ledger?.status ?? "nothing"}" and its run has written nothing for a long time; the trial counts as missing. Run it again, or record how it ended.`;
    reader.report("trial_without_result", file, detail);
  }
  reportRepeatedIds(trials, (code, place, detail) => reader.report(code, place, detail));
  const files = new JudgmentFiles(reader, folder);
  const recordedJudgments = trials.flatMap((trial) => {
    const judgments = files.read(trial);
    return judgments.length === 0 ? [] : [{ trialKey: trial.key, judgments }];
  });
  const reviewers = new Set(
    recordedJudgments.flatMap(({ judgments }) => judgments.flatMap(({ reviewerId }) => reviewerId ?? [])),
  );
  readReviewers(reader, folder, reviewers);
  return { issues: reader.issues, recordedJudgments };
}
