import type { JobEntry } from "@/lib/core/domain/catalog";
import type { JobTask } from "@/lib/core/domain/task-labels";
import { countsUnder, type SourceTrial, type Trial } from "@/lib/core/domain/trial";
import type { RewardDict } from "@/lib/core/scoring";
import { listRewards } from "@/lib/core/verification";
import { toColumnText } from "@/lib/store/database";
import { encodeValue, type JobContent, type JobRow, readTrialColumns } from "@/lib/store/tables";

import type { DividedGroups } from "./divide-groups";
import { makeLazily } from "./lazy-rows";

/** In directory order. @param onTrial - called with each trial of each list while it is written */
export function prepareTrialRows(
  { job, trials, report, recordedJudgments }: JobEntry,
  tasks: readonly JobTask<Trial>[],
  { places }: DividedGroups,
  onTrial: () => void,
): Pick<JobContent, "trials" | "trialRecords" | "trialRewards" | "trialSources" | "recordedJudgments"> {
  const differing = new Map<string, string>();
  for (const { kind, verdict, trialKeys, reason } of report.figures) {
    if (kind !== "reward-file" || verdict !== "mismatch") continue;
    for (const key of trialKeys) differing.set(key, reason ?? "The files differ.");
  }
  const taskPositions = new Map<Trial, number>();
  for (const [position, task] of tasks.entries())
    for (const trial of task.trials) taskPositions.set(trial, position);
  const list = <Row>(toRows: (trial: Trial, position: number) => readonly Row[]): Iterable<Row> =>
    makeLazily(function* () {
      for (const [position, trial] of trials.entries()) {
        onTrial();
        yield* toRows(trial, position);
      }
    });
  return {
    trials: list((trial, position) => [
      {
        ...readTrialColumns(trial),
        position,
        counts: Number(trial.state === "finished" && countsUnder(trial, job.scoringRule)),
        filesDiffer: differing.get(trial.key) ?? null,
        taskPosition: taskPositions.get(trial) ?? 0,
        setupKey: places.get(trial.key)?.key ?? null,
        setupAttempt: places.get(trial.key)?.attempt ?? null,
      },
    ]),
    trialRecords: list((trial, position) => [{ position, record: encodeValue(trial) }]),
    trialRewards: list(({ rewards }, position) => listRewardRows(rewards, position)),
    trialSources: list(({ sourceTrial }, position) => listSource(sourceTrial, position)),
    recordedJudgments: listJudgments(trials, recordedJudgments),
  };
}

function listRewardRows(rewards: RewardDict | null, position: number): JobRow<"trialRewards">[] {
  if (rewards === null || rewards.size < 2) return [];
  // Keys can be equal as column texts; keeps the first one.
  const keys = new Set<string>();
  return listRewards(rewards).flatMap(({ key: name, value, text }) => {
    const key = toColumnText(name);
    if (keys.has(key)) return [];
    keys.add(key);
    return { position, key, value: Number(value), text };
  });
}

function listSource(source: SourceTrial | null, position: number): JobRow<"trialSources">[] {
  if (source === null) return [];
  const { id, jobName, trialName, sourceTask, ownTask } = source;
  return [
    {
      position,
      uuid: id,
      jobName,
      trialName,
      sourceVersion: sourceTask?.version ?? null,
      sourceDigest: sourceTask?.digest ?? null,
      ownVersion: ownTask?.version ?? null,
      ownDigest: ownTask?.digest ?? null,
    },
  ];
}

export function placeTrials(trials: readonly Pick<Trial, "key">[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [position, { key }] of trials.entries()) positions.set(key, position);
  return positions;
}

function listJudgments(
  trials: readonly Trial[],
  recorded: JobEntry["recordedJudgments"],
): JobRow<"recordedJudgments">[] {
  if (recorded.length === 0) return [];
  const positions = placeTrials(trials);
  return recorded.flatMap(({ trialKey, judgments }) => {
    const position = positions.get(trialKey);
    if (position === undefined) return [];
    return judgments.map((judgment, ordinal) => ({
      position,
      ordinal,
      atMs: judgment.time?.epochMs ?? null,
      record: encodeValue(judgment),
    }));
  });
}
