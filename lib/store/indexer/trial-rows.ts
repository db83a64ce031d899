import type { JobEntry } from "@/lib/core/domain/catalog";
import { computeDurationMs } from "@/lib/core/domain/clock-time";
import type { TaskPattern } from "@/lib/core/domain/job-filter";
import { readCost } from "@/lib/core/domain/spending";
import type { JobTask } from "@/lib/core/domain/task-labels";
import { type SourceTrial, type Trial, countsUnder, selectHeadlineReward } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { RewardDict, ScoringRule } from "@/lib/core/scoring";
import { computeDistribution, computeShare } from "@/lib/core/stats";
import { listRewards } from "@/lib/core/verification";
import { toColumnText } from "@/lib/store/database";
import {
  type JobContent,
  type JobRow,
  type TaskCell,
  encodeValue,
  readTrialColumns,
} from "@/lib/store/tables";

import type { DividedGroups, SetupPlace } from "./summarise-groups";

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
  return new Map(trials.map(({ key }, position) => [key, position]));
}

function listJudgments(trials: readonly Trial[], recorded: JobEntry["recordedJudgments"]) {
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

export function prepareTaskRows(
  tasks: readonly JobTask<Trial>[],
  { report: { groups }, job: { scoringRule: rule } }: Pick<JobEntry, "report" | "job">,
  divided: DividedGroups,
): Iterable<JobRow<"tasks">> {
  const groupKeys = groups.map((group) => group.key);
  const setupKeys = groupKeys.flatMap((key) => {
    const parts = divided.byGroup.get(key)?.parts ?? [];
    return parts.length === 0 ? key : parts.map((part) => part.key);
  });
  return makeLazily(function* () {
    for (const [position, { taskName, trials }] of tasks.entries())
      yield {
        ...toRow(taskName, trials, position, groupKeys, rule),
        ...(divided.places.size === 0 ? NOT_DIVIDED : divideCells(trials, setupKeys, rule, divided)),
      };
  });
}

const NOT_DIVIDED = { setupPattern: null, setupCells: null };

function divideCells(
  trials: readonly Trial[],
  keys: readonly string[],
  rule: ScoringRule,
  { places }: DividedGroups,
) {
  const cells = listCells(trials, keys, rule, (trial) => places.get(trial.key));
  return { setupPattern: classifyPattern(listTried(cells)), setupCells: encodeValue(cells) };
}

function listCells(
  trials: readonly Trial[],
  keys: readonly string[],
  rule: ScoringRule,
  placeOf: (trial: Trial) => SetupPlace | undefined,
): readonly (TaskCell | null)[] {
  const placed = trials.map((trial) => ({ trial, attempt: placeOf(trial)?.attempt ?? trial.attempt }));
  const byGroup = Map.groupBy(placed, ({ trial }) => placeOf(trial)?.key ?? trial.groupKey);
  return keys.map((key) => {
    const attempts = byGroup.get(key);
    return attempts === undefined ? null : toCell(attempts, rule);
  });
}

function listTried(cells: readonly (TaskCell | null)[]): readonly TaskCell[] {
  return cells.filter((cell) => cell !== null).filter((cell) => cell.nEnded > 0);
}

function toRow(
  taskName: string,
  trials: readonly Trial[],
  position: number,
  groupKeys: readonly string[],
  rule: ScoringRule,
): Omit<JobRow<"tasks">, "setupPattern" | "setupCells"> {
  const cells = listCells(trials, groupKeys, rule, () => undefined);
  const tried = listTried(cells);
  const rewards = computeDistribution(
    trials
      .filter(({ outcome }) => outcome !== "invalid")
      .map((trial) => Number(selectHeadlineReward(trial.rewards)?.value ?? NaN)),
  );
  const costs = computeDistribution(trials.map((trial) => readCost(trial)));
  const durations = computeDistribution(trials.map((trial) => computeDurationMs(trial.time)));
  const nPassed = tried.reduce((sum, cell) => sum + cell.nPassed, 0);
  const nEnded = tried.reduce((sum, cell) => sum + cell.nEnded, 0);
  return {
    position,
    taskName,
    search: taskName.toLowerCase(),
    pattern: classifyPattern(tried),
    nTrials: trials.length,
    nPassed,
    nEnded,
    passedShare: computeShare(nPassed, nEnded),
    meanReward: rewards.kind === "computed" ? rewards.mean : null,
    meanCostUsd: costs.kind === "computed" ? costs.mean : null,
    medianDurationMs: durations.kind === "computed" ? durations.median : null,
    cells: encodeValue(cells),
  };
}

function toCell(attempts: readonly { readonly trial: Trial; readonly attempt: number }[], rule: ScoringRule) {
  return {
    attempts: attempts
      .toSorted((a, b) => a.attempt - b.attempt)
      .map(({ trial, attempt }) => ({
        key: trial.key,
        id: trial.id,
        jobUuid: trial.jobUuid,
        trialName: trial.trialName,
        attempt,
        outcome: trial.outcome,
        hasFolder: trial.folder !== "",
        exceptionType: selectFailure(trial)?.exception.type ?? null,
      })),
    nPassed: attempts.filter(({ trial }) => trial.outcome === "passed").length,
    nEnded: attempts.filter(({ trial }) => trial.state === "finished" && countsUnder(trial, rule)).length,
  };
}

/** See `TASK_PATTERNS`; null without an ended attempt. */
export function classifyPattern(
  cells: readonly { readonly nPassed: number; readonly nEnded: number }[],
): TaskPattern | null {
  if (cells.length === 0) return null;
  if (cells.every((cell) => cell.nPassed === cell.nEnded)) return "always";
  if (cells.every((cell) => cell.nPassed === 0)) return "never";
  return cells.some((cell) => cell.nPassed > 0 && cell.nPassed < cell.nEnded) ? "flaky" : "split";
}

/** Calls `make` for each iteration, so that the rows of a large job are never in memory together. */
export function makeLazily<Row>(make: () => Generator<Row>): Iterable<Row> {
  return { [Symbol.iterator]: make };
}
