import { type JobRecord, NO_STATS, NOTHING_STATED } from "@/lib/core/domain/job";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { Trial, TrialFiles } from "@/lib/core/domain/trial";

import { folderName, type LoadRoot, prepareIssue } from "../discover/load-root";
import { statGuarded } from "../file-stamp";
import { FolderReader } from "../folder-reader";
import { computeJobState, pickTime } from "../harbor/job-clock";
import { describeRepeatedIds, prepareTrials } from "../harbor/place-trials";
import type { TrialReading } from "../harbor/trial-files";
import { completeRecords } from "./ledger-folder";
import { readAllJudgments } from "./read-judgments";

export function assembleLedger(
  root: LoadRoot,
  nowMs: number,
  folder: string,
  readings: readonly TrialReading[],
) {
  const reader = new FolderReader(root, folder);
  const records = completeRecords(
    reader,
    readings.map(({ record }) => record),
  );
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
  const trials = prepareTrials(root.label, job, records);
  const { judgments, issues } = readAllJudgments(root, folder, trials);
  const draft = {
    job,
    trials,
    issues: [
      ...reader.issues,
      ...describeGaps(root, trials),
      ...issues,
      ...readings.flatMap((reading) => reading.issues),
    ],
    recordedJudgments: trials.flatMap(({ key }, index) => {
      const own = judgments[index] ?? [];
      return own.length === 0 ? [] : [{ trialKey: key, judgments: own }];
    }),
  };
  return { drafts: [draft], holdsUntilMs };
}

function describeGaps(root: LoadRoot, trials: readonly Trial[]): LoadIssue[] {
  const gaps = trials.flatMap(({ state, folder, ledger }) => {
    if (state !== "missing") return [];
    const detail = `The record says "${ledger?.status ?? "nothing"}" and its run has written nothing for a long time; the trial counts as missing. Run it again, or record how it ended.`;
    return [prepareIssue(root, "trial_without_result", folder, detail)];
  });
  return [...gaps, ...describeRepeatedIds(root, trials)];
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
