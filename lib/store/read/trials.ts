import { type ExpressionBuilder, sql, type SqlBool } from "kysely";

import { toColumnText } from "@/lib/database";
import type { DimensionFilter } from "@/lib/domain/dimension-filter";
import type { ListPage, ListRange } from "@/lib/domain/list-page";
import type { TrialRecord } from "@/lib/domain/trial";

import { atSamePlace, contains, isAmong, orderList, readListPage, readRowsAt, type SortKey } from "./query";
import type { IndexStore } from "../open-store";
import { parsePositions } from "../schema/positions";
import type { IndexTables, Stored } from "../schema/tables";
import { decodeValue } from "../schema/codec";

/** A range of a number; null is an open end. A trial without the number is in no range. */
export interface ColumnRange {
  readonly min: number | null;
  readonly max: number | null;
}

/** Which trials of a job. Empty lists, an empty text and open ranges mean no filter. */
export interface TrialSelection {
  /** Occurs in task, trial or exception. */
  readonly text: string;
  readonly outcomes: readonly string[];
  readonly exceptions: readonly string[];
  /** Keys of groups, or of parts of groups that are divided by agent settings. */
  readonly groups: readonly string[];
  readonly agents: readonly string[];
  readonly tasks: readonly string[];
  /** Reward that `reward` and the sort by reward mean; null is the headline. */
  readonly rewardKey: string | null;
  readonly reward: ColumnRange;
  readonly costUsd: ColumnRange;
  readonly durationMs: ColumnRange;
  /** Keys that the trial's must be among; null for any. */
  readonly only: ReadonlySet<string> | null;
  /** Keys that the trial's must not be among. */
  readonly except: ReadonlySet<string>;
  /** Path of a figure: only the trials behind it. */
  readonly figure: string | null;
  /** What its verifier says of a dimension. */
  readonly dimension: DimensionFilter | null;
}

/** A column that trials can be sorted by. */
export type TrialSort =
  | "task"
  | "agent"
  | "outcome"
  | "exception"
  | "reward"
  | "cost"
  | "duration"
  | "tokens"
  | "started";

/** A trial with what its table shows beside the record. */
export interface TrialRow {
  readonly trial: TrialRecord;
  /** From 0, in directory order. */
  readonly position: number;
  readonly groupKey: string;
  /** Its part of a group that is divided by agent settings, and its number in there; null in a group that is not. */
  readonly setup: { readonly key: string; readonly attempt: number } | null;
  readonly durationMs: number | null;
  /** Input and output tokens together; null when neither is reported. */
  readonly nTokens: number | null;
  readonly nRewardKeys: number;
  /** Why the verifier's own files say otherwise than result.json; null when they agree or say nothing. */
  readonly filesDiffer: string | null;
}

const SORTS: Readonly<Record<TrialSort, readonly string[]>> = {
  task: ["trials.taskPosition", "trials.groupKey", "trials.attempt"],
  agent: ["trials.groupKey"],
  outcome: ["trials.outcome"],
  exception: ["trials.exceptionType"],
  reward: ["shownReward"],
  cost: ["trials.costUsd"],
  duration: ["trials.durationMs"],
  tokens: ["trials.nTokens"],
  started: ["trials.startedMs"],
};

/** One page of a job's trials that fit, sorted; equals in directory order. */
export async function readTrials(
  store: IndexStore,
  jobRowId: number,
  selection: TrialSelection,
  sort: { readonly by: TrialSort; readonly descending: boolean },
  range: ListRange,
): Promise<ListPage<TrialRow>> {
  const list = (await selectTrials(store, jobRowId, selection)).select("trials.position");
  const page = await readListPage(list, orderTrials(sort), range);
  const positions = page.rows.map(({ position }) => position);
  return { ...page, rows: await readTrialsAt(store, jobRowId, positions) };
}

/**
 * Positions of all trials of a job that fit, in the order of {@link readTrials}: what a list of any length is read by, since
 * reading it page by page would put it in order once for every page.
 */
export async function readTrialPositions(
  store: IndexStore,
  jobRowId: number,
  selection: TrialSelection,
  sort: { readonly by: TrialSort; readonly descending: boolean },
): Promise<readonly number[]> {
  const list = (await selectTrials(store, jobRowId, selection)).select("trials.position");
  return (await orderList(list, orderTrials(sort)).execute()).map(({ position }) => position);
}

/** The trials at some positions of a job, in the order of `positions`, which are at most a thousand. */
export async function readTrialsAt(
  store: IndexStore,
  jobRowId: number,
  positions: readonly number[],
): Promise<readonly TrialRow[]> {
  return withRecords(store, jobRowId, await readRowsAt(store, "trials", jobRowId, positions));
}

function orderTrials(sort: { readonly by: TrialSort; readonly descending: boolean }): readonly SortKey[] {
  return [...SORTS[sort.by], "trials.position"].map((column) => ({
    column,
    descending: column !== "trials.position" && sort.descending,
  }));
}

/** The trials of a job that fit, neither ordered nor cut. */
async function selectTrials(store: IndexStore, jobRowId: number, selection: TrialSelection) {
  const rewardKey = selection.rewardKey === null ? null : toColumnText(selection.rewardKey);
  const figure = selection.figure === null ? null : await readFigureTrials(store, jobRowId, selection.figure);
  const shownReward = sql<number | null>`${
    rewardKey === null
      ? sql.ref("trials.reward")
      : sql`coalesce(${sql.ref("trialRewards.value")}, case when ${sql.ref("trials.rewardKey")} = ${rewardKey} then trials.reward end)`
  }`;
  // The reward of a key is computed, so it is named in a query of its own before rows are ordered and cut by it.
  const trials = store.db
    .selectFrom("trials")
    .leftJoin("trialRewards", (join) =>
      atSamePlace("trialRewards", "trials")(join).on("trialRewards.key", "=", rewardKey),
    )
    .selectAll("trials")
    .select(shownReward.as("shownReward"))
    .where("trials.jobRowId", "=", jobRowId)
    .as("trials");
  return store.db
    .selectFrom(trials)
    .where((where) => matches(store, jobRowId, where as never, selection, figure));
}

type Where = ExpressionBuilder<IndexTables, "trials">;

function matches(
  store: IndexStore,
  jobRowId: number,
  where: Where,
  selection: TrialSelection,
  figure: readonly number[] | null,
) {
  const oneOf = (column: string, values: readonly string[]) =>
    values.length === 0 ? null : isAmong(store, column, values);
  const conditions = [
    oneOf("trials.outcome", selection.outcomes),
    selection.groups.length === 0
      ? null
      : where.or([
          isAmong(store, "trials.groupKey", selection.groups),
          isAmong(store, "trials.setupKey", selection.groups),
        ]),
    oneOf("trials.agent", selection.agents),
    oneOf("trials.taskName", selection.tasks),
    oneOf("trials.exceptionType", selection.exceptions),
    ...within("trials.shownReward", selection.reward),
    ...within("trials.costUsd", selection.costUsd),
    ...within("trials.durationMs", selection.durationMs),
    selection.text === "" ? null : contains("trials.search", selection.text.toLowerCase()),
    selection.only === null ? null : isAmong(store, "trials.key", selection.only),
    selection.except.size === 0 ? null : sql<SqlBool>`not ${isAmong(store, "trials.key", selection.except)}`,
    figure === null ? null : isAmong(store, "trials.position", figure),
    ...(selection.dimension === null ? [] : matchDimension(jobRowId, selection.dimension)),
  ];
  return where.and(conditions.filter((condition) => condition !== null));
}

function within(column: string, { min, max }: ColumnRange) {
  const ref = sql.ref(column);
  return [
    min === null ? null : sql<SqlBool>`${ref} >= ${min}`,
    max === null ? null : sql<SqlBool>`${ref} <= ${max}`,
  ];
}

/**
 * Conditions on a row of `trials` for what it says of a dimension: finished trials, as in every figure of dimensions. A range
 * is looked up in the dimension's own index, since few trials lie in it; whether a trial states the dimension at all is asked
 * of each trial, since most do.
 */
function matchDimension(jobRowId: number, filter: DimensionFilter) {
  const { min, max, below, isMissing } = filter;
  const family = filter.family === null ? null : toColumnText(filter.family);
  const range = [
    min === null ? null : sql<SqlBool>`share >= ${min}`,
    max === null ? null : sql<SqlBool>`share <= ${max}`,
    below === null ? null : sql<SqlBool>`share < ${below}`,
  ].filter((condition) => condition !== null);
  const table = sql.table("trialDimensions");
  const states = sql`${sql.ref("jobRowId")} = ${jobRowId} and name = ${toColumnText(filter.name)} and share is not null`;
  const stating = sql`select 1 from ${table} where ${states} and position = trials.position`;
  const inRange = sql`select position from ${table} where ${states} and ${sql.join(range, sql` and `)}`;
  return [
    sql<SqlBool>`trials.state = 'finished'`,
    family === null ? null : sql<SqlBool>`trials.family = ${family}`,
    isMissing
      ? sql<SqlBool>`not exists (${stating})`
      : range.length === 0
        ? sql<SqlBool>`exists (${stating})`
        : sql<SqlBool>`trials.position in (${inRange})`,
  ];
}

/** Positions of the trials behind a figure; none when there is no such figure. */
async function readFigureTrials(
  { db }: IndexStore,
  jobRowId: number,
  path: string,
): Promise<readonly number[]> {
  const figure = await db
    .selectFrom("figures")
    .select("trials")
    .where("jobRowId", "=", jobRowId)
    .where("path", "=", toColumnText(path))
    .executeTakeFirst();
  return figure === undefined ? [] : parsePositions(figure.trials);
}

async function withRecords(
  { db }: IndexStore,
  jobRowId: number,
  rows: readonly Stored<"trials">[],
): Promise<readonly TrialRow[]> {
  if (rows.length === 0) return [];
  const records = await db
    .selectFrom("trialRecords")
    .select(["position", "record"])
    .where("jobRowId", "=", jobRowId)
    .where(
      "position",
      "in",
      rows.map(({ position }) => position),
    )
    .execute();
  const byPosition = new Map(records.map(({ position, record }) => [position, record]));
  return rows.flatMap((row) => {
    const { position, groupKey, setupKey, durationMs, nTokens, nRewardKeys, filesDiffer } = row;
    const record = byPosition.get(position);
    if (record === undefined) return [];
    const setup = setupKey === null ? null : { key: setupKey, attempt: row.setupAttempt ?? row.attempt };
    const trial = decodeValue(record);
    return { trial, position, groupKey, setup, durationMs, nTokens, nRewardKeys, filesDiffer };
  });
}

/** The trial that a key of an address stands for, by its key, else by its name while one trial alone has it. */
export async function readTrial(
  store: IndexStore,
  jobRowId: number,
  asked: string,
): Promise<TrialRow | null> {
  const key = toColumnText(asked);
  const trials = store.db.selectFrom("trials").selectAll().where("jobRowId", "=", jobRowId).limit(2);
  const byKey = await trials.where("key", "=", key).execute();
  const found = byKey.length === 1 ? byKey : await trials.where("trialName", "=", key).execute();
  return found.length === 1 ? ((await withRecords(store, jobRowId, found))[0] ?? null) : null;
}
