import type { JobEntry } from "@/lib/core/domain/catalog";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import type { JobTask } from "@/lib/core/domain/task-labels";
import { countsUnder, type SourceTrial, type TrialRecord } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { RewardDict, ScoringRule } from "@/lib/core/scoring";
import { listRewards, readReward } from "@/lib/core/verification";
import { completeTrial, type HeldTrial } from "@/lib/read/loader";
import { toColumnText } from "@/lib/store/database";
import { encodeValue, type JobContent, type JobRow, readTrialValues } from "@/lib/store/tables";

import type { DividedGroups } from "./divide-groups";
import { makeLazily } from "./lazy-rows";

/** Exception messages are searched and grouped by their beginning; the record has the whole text. */
const MESSAGE_CHARS = 1000;

/** In directory order. @param onTrial - called with each trial of each list while it is written */
export function prepareTrialRows(
  { job, trials, report, recordedJudgments }: JobEntry<HeldTrial>,
  tasks: readonly JobTask<HeldTrial>[],
  { places }: DividedGroups,
  onTrial: () => void,
): Pick<JobContent, "trials" | "trialRecords" | "trialRewards" | "trialSources" | "recordedJudgments"> {
  const differing = new Map<string, string>();
  for (const { kind, verdict, trialKeys, reason } of report.figures) {
    if (kind !== "reward-file" || verdict !== "mismatch") continue;
    for (const key of trialKeys) differing.set(key, reason ?? "The files differ.");
  }
  const taskPositions = new Map<HeldTrial, number>();
  for (const [position, task] of tasks.entries())
    for (const trial of task.trials) taskPositions.set(trial, position);
  const list = <Row>(toRows: (trial: HeldTrial, position: number) => readonly Row[]): Iterable<Row> =>
    makeLazily(function* () {
      for (const [position, trial] of trials.entries()) {
        onTrial();
        yield* toRows(trial, position);
      }
    });
  return {
    trials: list((trial, position) => [
      {
        ...toColumns(job.scoringRule, completeTrial(trial), position, differing.get(trial.key) ?? null),
        taskPosition: taskPositions.get(trial) ?? 0,
        setupKey: places.get(trial.key)?.key ?? null,
        setupAttempt: places.get(trial.key)?.attempt ?? null,
      },
    ]),
    trialRecords: list((trial, position) => [{ position, record: encodeValue(completeTrial(trial)) }]),
    trialRewards: list(({ rewards }, position) => listRewardRows(rewards, position)),
    trialSources: list(({ sourceTrial }, position) => listSource(sourceTrial, position)),
    recordedJudgments: listJudgments(trials, recordedJudgments),
  };
}

function toColumns(
  rule: ScoringRule,
  trial: TrialRecord,
  position: number,
  filesDiffer: string | null,
): Omit<JobRow<"trials">, "taskPosition" | "setupKey" | "setupAttempt"> {
  const { key, trialName, taskName, groupKey, agent, agentVersion, model, attempt, state, outcome } = trial;
  const failure = selectFailure(trial);
  const exceptionType = failure?.exception.type ?? null;
  return {
    position,
    ...toRewardColumns(trial.rewards),
    counts: Number(trial.state === "finished" && countsUnder(trial, rule)),
    rewardValid: Number(trial.isRewardValid),
    ...readTrialValues(trial),
    ...{ key, trialName, taskName, groupKey, agent, agentVersion, model, attempt, state, outcome },
    hasFolder: Number(trial.folder !== ""),
    uuid: trial.id,
    runUuid: trial.jobUuid,
    family: findTaskFamily(taskName),
    exceptionType,
    exceptionMessage: failure?.exception.message.slice(0, MESSAGE_CHARS) ?? null,
    exceptionCause: failure?.cause ?? null,
    exceptionStep: failure?.stepName ?? null,
    taskDigest: trial.taskDigest,
    resultDigest: trial.resultDigest,
    filesDiffer,
    search: `${taskName}\n${trialName}\n${exceptionType ?? ""}`.toLowerCase(),
  };
}

function toRewardColumns(rewards: RewardDict | null) {
  const headline = readReward(rewards);
  return {
    rewardKey: headline?.key ?? null,
    reward: headline && Number(headline.value),
    rewardText: headline?.text ?? null,
    nRewardKeys: rewards?.size ?? 0,
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

export function placeTrials(trials: readonly Pick<TrialRecord, "key">[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [position, { key }] of trials.entries()) positions.set(key, position);
  return positions;
}

function listJudgments(
  trials: readonly HeldTrial[],
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
