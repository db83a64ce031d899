import { lstatSync } from "node:fs";

import type { ClockTime } from "@/lib/core/domain/clock-time";
import { NOTHING_STATED } from "@/lib/core/domain/job";
import { NO_COUNTS } from "@/lib/core/domain/verification";
import type { DiscoveredJob, LoadRoot } from "@/lib/read/loader";
import { toColumnText } from "@/lib/store/database";
import { encodeValue, type FoundSource, type StoredHead } from "@/lib/store/tables";

import { prepareNaturalKey } from "./prepare-content";

export function prepareFoundSource(root: LoadRoot, discovered: DiscoveredJob): FoundSource {
  const { folder, kind, trialFolders } = discovered;
  const name = toColumnText(folder === "" ? root.label : folder.slice(folder.lastIndexOf("/") + 1));
  const when = readWrittenAt(root, folder);
  const {
    plan: _plan,
    plannedTasks: _tasks,
    recorded: _stats,
    resultBytes: _bytes,
    log: _log,
    ...stated
  } = NOTHING_STATED;
  const head: StoredHead = {
    key: name,
    name,
    root: root.index,
    folder,
    kind,
    purpose: "benchmark",
    uuid: null,
    state: "unknown",
    time: { startedAt: null, finishedAt: null },
    updatedAt: null,
    ...stated,
    hasRecordedStats: false,
    path: folder === "" ? root.path : `${root.path}/${folder}`,
    isRead: false,
    report: { verdict: "not-recorded", counts: NO_COUNTS, order: "directory" },
    nTrials: trialFolders.length,
    nTasks: 0,
    nFigures: 0,
    nExceptionTypes: 0,
    costUsd: null,
    nWithCost: 0,
    regraded: { nTrials: 0, costUsd: null },
    attempts: null,
    setupAttempts: null,
    when,
    nJobMismatches: 0,
    isAnyPartial: false,
    recordedJudgments: { nJudgments: 0, nTrials: 0 },
  };
  return {
    root: root.index,
    folder,
    kind,
    name,
    nameSort: prepareNaturalKey(name),
    whenMs: when?.epochMs ?? null,
    nTrials: trialFolders.length,
    head: encodeValue(head),
  };
}

function readWrittenAt(root: LoadRoot, folder: string): ClockTime | null {
  const path = folder === "" ? root.path : `${root.path}/${folder}`;
  const stats =
    lstatSync(`${path}/result.json`, { throwIfNoEntry: false }) ?? lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return { text: stats.mtime.toISOString(), epochMs: stats.mtimeMs, zoned: true };
}
