import { computeDurationMs } from "@/lib/core/domain/clock-time";
import type { ExceptionCause } from "@/lib/core/domain/exception-cause";
import type { RecordedJudgment } from "@/lib/core/domain/judgment";
import { readCost } from "@/lib/core/domain/spending";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { type Trial, sumTokens } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { TrialSort } from "@/lib/core/fields/trials.fields";
import { readReward } from "@/lib/core/verification";

import { type Column, id, integer, json, orNull, real, table, text, trialPosition } from "./table";

/** Exception messages are searched and grouped by their beginning; the record has the whole text. */
const MESSAGE_CHARS = 1000;

type Read<Value> = (trial: Trial, shared: ReturnType<typeof prepareShared>) => Value;

interface TrialColumn<Value> extends Column<Value> {
  readonly read: Read<Value>;
}

/** Needed by several columns of a trial. */
function prepareShared(trial: Trial) {
  return { failure: selectFailure(trial), headline: readReward(trial.rewards) };
}

function column<Value>(type: Column<Value>, read: Read<Value>): TrialColumn<Value> {
  return { ...type, read };
}

/** Columns of `trials` that follow from the trial alone, with what they hold of it. */
const TRIAL_ROW_COLUMNS = {
  key: column(text(), ({ key }) => key),
  uuid: column(orNull(text()), ({ id }) => id),
  runUuid: column(orNull(text()), ({ jobUuid }) => jobUuid),
  trialName: column(text(), ({ trialName }) => trialName),
  taskName: column(text(), ({ taskName }) => taskName),
  family: column(text(), ({ taskName }) => findTaskFamily(taskName)),
  groupKey: column(text(), ({ groupKey }) => groupKey),
  agent: column(text(), ({ agent }) => agent),
  agentVersion: column(orNull(text()), ({ agentVersion }) => agentVersion),
  model: column(orNull(text()), ({ model }) => model),
  attempt: column(integer(), ({ attempt }) => attempt),
  state: column(text<Trial["state"]>(), ({ state }) => state),
  outcome: column(text<Trial["outcome"]>(), ({ outcome }) => outcome),
  hasFolder: column(integer(), ({ folder }) => Number(folder !== "")),
  rewardKey: column(orNull(text()), (_, { headline }) => headline?.key ?? null),
  /** Headline reward; null when there is none and for NaN. */
  reward: column(orNull(real()), (_, { headline }) => headline && Number(headline.value)),
  rewardText: column(orNull(text()), (_, { headline }) => headline?.text ?? null),
  nRewardKeys: column(integer(), ({ rewards }) => rewards?.size ?? 0),
  /** 1 if Harbor 0.26 counts its rewards, whichever version wrote its job. */
  rewardValid: column(integer(), ({ isRewardValid }) => Number(isRewardValid)),
  /** Exception of the trial, else of one of its steps, see `selectFailure` of lib/core/domain. */
  exceptionType: column(orNull(text()), (_, { failure }) => failure?.exception.type ?? null),
  exceptionMessage: column(
    orNull(text()),
    (_, { failure }) => failure?.exception.message.slice(0, MESSAGE_CHARS) ?? null,
  ),
  exceptionCause: column(orNull(text<ExceptionCause>()), (_, { failure }) => failure?.cause ?? null),
  exceptionStep: column(orNull(text()), (_, { failure }) => failure?.stepName ?? null),
  costUsd: column(orNull(real()), readCost),
  nTokens: column(orNull(real()), ({ tokens }) => sumTokens(tokens)),
  durationMs: column(orNull(real()), ({ time }) => computeDurationMs(time)),
  startedMs: column(orNull(real()), ({ time }) => time.startedAt?.epochMs ?? null),
  taskDigest: column(orNull(text()), ({ taskDigest }) => taskDigest),
  resultDigest: column(orNull(text()), ({ resultDigest }) => resultDigest),
  search: column(text(), ({ taskName, trialName }, { failure }) =>
    `${taskName}\n${trialName}\n${failure?.exception.type ?? ""}`.toLowerCase(),
  ),
} as const;

type TrialValues = {
  readonly [Name in keyof typeof TRIAL_ROW_COLUMNS]: ReturnType<(typeof TRIAL_ROW_COLUMNS)[Name]["read"]>;
};

const COLUMNS = Object.entries(TRIAL_ROW_COLUMNS);

export function readTrialColumns(trial: Trial): TrialValues {
  const shared = prepareShared(trial);
  const values: Record<string, unknown> = {};
  for (const [name, { read }] of COLUMNS) values[name] = read(trial, shared);
  return values as TrialValues; // Each of its keys.
}

/** Sort keys: columns of `trials`, and values that `selectAllTrials` computes. */
export const TRIAL_ORDERS: Readonly<Record<TrialSort, readonly string[]>> = {
  task: ["trials.taskPosition", "trials.groupKey", "trials.attempt"],
  agent: ["trials.groupKey"],
  outcome: ["trials.outcome"],
  exception: ["trials.exceptionType"],
  reward: ["shownReward"],
  cost: ["trials.costUsd"],
  duration: ["trials.durationMs"],
  tokens: ["trials.nTokens"],
  steps: ["nSteps"],
  errors: ["nErrors"],
  started: ["trials.startedMs"],
};

export const TRIAL_TABLES = {
  trials: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      ...TRIAL_ROW_COLUMNS,
      /** Position of its task in `tasks`: the natural order of task names. */
      taskPosition: integer(),
      setupKey: orNull(text()),
      /** Its number among the attempts of that part at the task, from 1. */
      setupAttempt: orNull(integer()),
      /** 1 if it counts in its group's figures under the rule that wrote its job, see `countsUnder`. */
      counts: integer(),
      filesDiffer: orNull(text()),
    },
    {
      key: ["jobRowId", "position"],
      rows: "100000 1000 1",
      indexes: [
        { columns: ["jobRowId", "key"], postgres: ["hash", "key"], rows: "100000 1000 1" },
        // Default order of the trials table; its first page must not sort the whole job.
        { columns: ["jobRowId", "taskPosition"], rows: "100000 1000 10" },
        // Counts by task and group read only this index. Every index begins with the job, so that a job is written in one place.
        {
          columns: ["jobRowId", "taskName", "groupKey", "attempt", "state", "reward", "counts"],
          postgres: ["hash", "taskName"],
          rows: "100000 1000 10 5 1 1 1 1",
        },
        {
          columns: [
            "exceptionType",
            "exceptionCause",
            "jobRowId",
            "groupKey",
            "state",
            "outcome",
            "nRewardKeys",
            "reward",
          ],
          where: "exceptionType",
          postgres: ["btree", "jobRowId"],
          rows: "10000 1000 20",
        },
      ],
    },
  ),
  trialRecords: table(
    { jobRowId: integer(), position: trialPosition(), record: json<Trial>() },
    { key: ["jobRowId", "position"], rows: "100000 1000 1" },
  ),
  /**
   * Search texts of a trial. Read last, and kept while the trial's files do not change: a new reading of its job only updates the
   * position. Trials without a row are not read yet.
   */
  trialTexts: table(
    {
      id: id(),
      jobRowId: integer(),
      position: orNull(trialPosition()),
      key: text(),
      /** Stamp of its files when read; empty to force a new reading. */
      stamp: text(),
      /** Stamped files of the trajectory besides the standard ones, as JSON. */
      files: text(),
      /** See `TrialFingerprint.trajectory` of lib/core/domain; as of when the texts were read. */
      trajectoryDigest: orNull(text()),
      nSteps: orNull(integer()),
      nErrors: orNull(integer()),
      isCut: integer(),
      texts: text(),
    },
    {
      key: ["id"],
      indexes: [
        {
          columns: ["jobRowId", "position", "id", "nSteps", "nErrors", "isCut"],
          rows: "100000 1000 1 1 1 1 1",
        },
        { columns: ["jobRowId", "key"], postgres: ["hash", "key"], rows: "100000 1000 1" },
      ],
    },
  ),
  trialRewards: table(
    { jobRowId: integer(), position: trialPosition(), key: text(), value: orNull(real()), text: text() },
    { indexes: [{ columns: ["jobRowId", "position"], rows: "100000 1000 3" }] },
  ),
  /** Source of a regraded trial, as its files state it. */
  trialSources: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      /** Id of the source trial, and the folders of its job and of itself. */
      uuid: orNull(text()),
      jobName: orNull(text()),
      trialName: orNull(text()),
      sourceVersion: orNull(text()),
      sourceDigest: orNull(text()),
      ownVersion: orNull(text()),
      ownDigest: orNull(text()),
    },
    { key: ["jobRowId", "position"], rows: "2000 200 1" },
  ),
  trialLinks: table(
    { jobRowId: integer(), position: trialPosition(), sourceJobRowId: integer(), sourcePosition: integer() },
    {
      key: ["jobRowId", "position"],
      rows: "2000 200 1",
      // Finds the regrades of a trial. Links are few and written together, not with their jobs.
      indexes: [{ columns: ["sourceJobRowId", "sourcePosition"], rows: "2000 200 1" }],
    },
  ),
  /** Jobs and trials that are open several times. Found after all jobs are read; see `findCopies` of lib/read/catalog. */
  copies: table(
    {
      jobRowId: integer(),
      /** Position of the trial; -1 for the whole job. */
      position: integer(),
      /** Equal for copies, which count once. */
      family: integer(),
      rank: integer(),
    },
    { key: ["jobRowId", "position", "family"], rows: "2000 200 2 1" },
  ),
  /** Tasks whose name in `tasks` and `trials` is not the recorded one, see `labelTasks` of lib/core/domain. */
  taskLabels: table(
    { jobRowId: integer(), position: integer(), taskName: text(), label: text() },
    { key: ["jobRowId", "position"], rows: "200 20 1" },
  ),
  /** A judgment in a file of the opened folders; Assay's own are in another store. */
  recordedJudgments: table(
    {
      jobRowId: integer(),
      position: trialPosition(),
      /** In the order of `TrialJudgmentsOnFile`, from 0. */
      ordinal: integer(),
      atMs: orNull(real()),
      record: json<RecordedJudgment>(),
    },
    { key: ["jobRowId", "position", "ordinal"], rows: "10000 100 3 1" },
  ),
} as const;
