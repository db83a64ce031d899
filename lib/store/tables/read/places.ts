import { sql, type SqlBool } from "kysely";

import type { TrialFingerprint } from "@/lib/core/domain/fingerprint";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";
import {
  atSamePlace,
  countRows,
  groupKeys,
  hasKey,
  isAmong,
  type JobScope,
  NEWEST_FIRST,
  type RowPlace,
  type AnySelect,
  isNeverNull,
  orderList,
  type SortKey,
} from "./query";
import {
  orderTrials,
  selectAllTrials,
  selectStepCounts,
  selectTrials,
  type TrialOrder,
  type TrialSelection,
} from "./trial-filter";

export type TrialPlace = Awaited<ReturnType<typeof readTrialPlaces>>[number];

export async function readTrialPlaces(store: IndexStore, trialNames: Iterable<string>) {
  const rows = await selectPlaces(store)
    .where(isAmong(store, "trials.trialName", trialNames))
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.position")
    .execute();
  return rows.map(toPlace);
}

export async function readPlacesOfTrials(
  store: IndexStore,
  namesOrIds: ReadonlySet<string>,
): Promise<readonly TrialPlace[]> {
  const rows = await selectPlaces(store)
    .where((where) =>
      where.or([isAmong(store, "trials.trialName", namesOrIds), isAmong(store, "trials.uuid", namesOrIds)]),
    )
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.position")
    .execute();
  return rows.map(toPlace);
}

/** First finished trials of a job from position `first` up to, not including, `end` (null for no end). */
export async function readFinishedPlaces(
  store: IndexStore,
  jobRowId: number,
  { first, end }: { readonly first: number; readonly end: number | null },
  limit: number,
) {
  const query = selectPlaces(store)
    .where("trials.jobRowId", "=", jobRowId)
    .where("trials.state", "=", "finished")
    .where("trials.position", ">=", first)
    .orderBy("trials.position")
    .limit(limit);
  const rows = await (end === null ? query : query.where("trials.position", "<", end)).execute();
  return rows.map(toPlace);
}

/**
 * Returns the fingerprint of a trial as the index knows it. The result is as of the last scan. The trajectory is as of the last
 * text reading, which follows all results of all jobs. Null without such a trial.
 *
 * @throws StoreError when the store cannot be read
 */
export async function readFingerprint(
  store: IndexStore,
  jobRowId: number,
  trialKey: string,
): Promise<TrialFingerprint | null> {
  const row = await selectPlaces(store)
    .where("trials.jobRowId", "=", jobRowId)
    .where("trials.key", "=", toColumnText(trialKey))
    .executeTakeFirst();
  return row === undefined ? null : toPlace(row).fingerprint;
}

interface DigestRow {
  readonly resultDigest: string | null;
  readonly trajectoryDigest: string | null;
}

function toPlace<Row extends DigestRow>({ resultDigest, trajectoryDigest, ...row }: Row) {
  return { ...row, fingerprint: { result: resultDigest, trajectory: trajectoryDigest } };
}

function selectPlaces({ db }: IndexStore) {
  return db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .leftJoin("trialTexts", atSamePlace("trialTexts", "trials"))
    .select(["trials.jobRowId", "jobs.key as jobKey", "jobs.name as jobName", "trials.position"])
    .select(["trials.key", "trials.uuid as id", "trials.trialName", "trials.taskName", "trials.groupKey"])
    .select(({ fn }) => fn.coalesce("trials.runUuid", "jobs.uuid").as("jobUuid"))
    .select(["trials.resultDigest", "trialTexts.trajectoryDigest"])
    .select(["trials.attempt", "trials.state", "trials.outcome", "trials.rewardText as reward"]);
}

const MARK_COLUMNS = [
  "trials.key",
  "trials.uuid as id",
  "trials.runUuid as jobUuid",
  "trials.trialName",
  "trials.taskName",
  "trials.attempt",
  "trials.outcome",
  "trials.exceptionType",
] as const;

type TrialNeighbours = Awaited<ReturnType<typeof readNeighbours>>;
type TrialMark = TrialNeighbours["attempts"][number];

/** Listed attempts on either side of a trial: more than any job makes at a task. */
const MOST_BESIDE = 50;

/** Finds neighbours among trials of the same agent, model and source. Reads a few rows, however large the job is. */
export async function readNeighbours(
  store: IndexStore,
  jobRowId: number,
  trial: Pick<Stored<"trials">, "groupKey" | "agent" | "taskName" | "attempt" | "position">,
) {
  const { taskName, attempt, position } = trial;
  const agentModel = store.db
    .selectFrom("trials")
    .select(MARK_COLUMNS)
    .where("jobRowId", "=", jobRowId)
    // The group key names agent, model and source; the agent separates equal keys.
    .where("groupKey", "=", trial.groupKey)
    .where("agent", "=", trial.agent);
  const same = agentModel.where("taskName", "=", taskName);
  const beside = (sign: "<" | ">=") =>
    same
      .where((where) =>
        where.or([
          where("attempt", sign === "<" ? "<" : ">", attempt),
          where.and([where("attempt", "=", attempt), where("position", sign, position)]),
        ]),
      )
      .orderBy("attempt", sign === "<" ? "desc" : "asc")
      .orderBy("position", sign === "<" ? "desc" : "asc")
      .limit(sign === "<" ? MOST_BESIDE : MOST_BESIDE + 1)
      .execute();
  const [earlier, later, nAttempts] = await Promise.all([beside("<"), beside(">="), countRows(same)]);
  const ownPosition = store.db
    .selectFrom("trials")
    .select("taskPosition")
    .where("jobRowId", "=", jobRowId)
    .where("position", "=", position);
  const ofOtherTask = (sign: "<" | ">") => {
    const order = sign === "<" ? "desc" : "asc";
    return agentModel
      .where("taskPosition", sign, ownPosition)
      .orderBy("taskPosition", order)
      .orderBy("attempt", order)
      .orderBy("position", order)
      .limit(1)
      .executeTakeFirst();
  };
  return {
    attempts: [...earlier.toReversed(), ...later],
    nAttempts,
    previous: earlier[0] ?? (await ofOtherTask("<")) ?? null,
    next: later[1] ?? (await ofOtherTask(">")) ?? null,
  };
}

export type TrialSpot = ListSpot<TrialMark & Pick<RowPlace, "jobRowId">>;

export async function readTrialSpot(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  sort: TrialOrder,
  { jobRowId, position }: RowPlace,
): Promise<TrialSpot | null> {
  const order = orderTrials(sort, jobs, selection);
  const own = await selectAllTrials(store, jobRowId, selection)
    .select(order.map(({ column }) => sql<string | number | null>`${sql.ref(column)}`.as(column)))
    .where("trials.position", "=", position)
    .executeTakeFirst();
  if (own === undefined) return null;
  const list = (await selectTrials(store, jobs, selection)).select(["trials.jobRowId", ...MARK_COLUMNS]);
  return readListSpot(list, order, own);
}

interface TrialTotals {
  /** Null without a trajectory, and while it is not read. */
  readonly nSteps: number | null;
  readonly durationMs: number | null;
}

/** Totals keyed by the job's row id and the trial's key, separated by a space. */
export async function readTrialTotals(
  store: IndexStore,
  trials: readonly Pick<Stored<"trials">, "jobRowId" | "key">[],
): Promise<ReadonlyMap<string, TrialTotals>> {
  if (trials.length === 0) return new Map();
  const rows = await store.db
    .selectFrom("trials")
    .select(["jobRowId", "key", "durationMs", ...selectStepCounts()])
    .where(hasKey(store, "trials", groupKeys(trials)))
    .execute();
  return new Map(
    rows.map(({ jobRowId, key, nSteps, durationMs }) => [`${jobRowId} ${key}`, { nSteps, durationMs }]),
  );
}

interface ListSpot<Row> {
  readonly nBefore: number;
  readonly nMatching: number;
  /** False for a row outside the filter; its place is then where the order would put it. */
  readonly isListed: boolean;
  readonly previous: Row | null;
  readonly next: Row | null;
}

type Value = string | number | null;

interface OwnKey extends SortKey {
  readonly value: Value;
}

/**
 * Finds the place of a row from its values in the order columns. One pass counts the rows before it and finds the nearest values
 * of the first column. Sorting the rows instead takes two to three times as long. Unknown values are last in both directions, as
 * in {@link orderList}.
 *
 * @param list - filtered, not ordered or cut
 * @param order - ends with a unique column
 * @param own - the row's values by column name
 */
async function readListSpot<Row>(
  list: AnySelect<Row>,
  order: readonly SortKey[],
  own: Readonly<Record<string, Value>>,
): Promise<ListSpot<Row>> {
  const keys = order.map((key): OwnKey => ({ ...key, value: own[key.column] ?? null }));
  const [before, behind] = [isBeyond(keys, true), isBeyond(keys, false)];
  const { nMatching, nBefore, nBehind, ...nearest } = await measureAround(list, keys, before, behind);
  const [previous, next] = await Promise.all([
    nBefore === 0 ? null : readNearest(list, keys, nearest.before, true),
    nBehind === 0 ? null : readNearest(list, keys, nearest.behind, false),
  ]);
  return { nBefore, nMatching, isListed: nBefore + nBehind < nMatching, previous, next };
}

type Condition = ReturnType<typeof isBeyond>;

async function measureAround<Row>(
  list: AnySelect<Row>,
  [first]: readonly OwnKey[],
  before: Condition,
  behind: Condition,
) {
  const [last, least] = first?.descending === true ? [sql`min`, sql`max`] : [sql`max`, sql`min`];
  const column = sql.ref(first?.column ?? "");
  const counted = await list
    .clearSelect()
    .select(({ fn }) => [
      fn.countAll<number>().as("nMatching"),
      sql<string | number | null>`sum(case when ${before} then 1 else 0 end)`.as("nBefore"),
      sql<string | number | null>`sum(case when ${behind} then 1 else 0 end)`.as("nBehind"),
      sql<Value>`${last}(case when ${before} then ${column} end)`.as("before"),
      sql<Value>`${least}(case when ${behind} then ${column} end)`.as("behind"),
    ])
    .executeTakeFirstOrThrow();
  // PostgreSQL returns a sum as text, and the sum of no rows as null.
  return { ...counted, nBefore: Number(counted.nBefore), nBehind: Number(counted.nBehind) };
}

/**
 * Reads the nearest row on one side of a place.
 * @param value - first column of the nearest rows on that side; null when all of them are null
 */
async function readNearest<Row>(
  list: AnySelect<Row>,
  [first, ...rest]: readonly OwnKey[],
  value: Value,
  before: boolean,
): Promise<Row | null> {
  if (first === undefined) return null;
  const take = async (rows: AnySelect<Row>) =>
    (await orderList(rows, rest, before).limit(1).executeTakeFirst()) ?? null;
  // Rows with the same value, or null like the place, are nearer than any other.
  const isTied = value === first.value;
  const tied =
    isTied || first.value === null
      ? await take(list.where(isEqual(first)).where(isBeyond(rest, before)))
      : null;
  return tied !== null || isTied ? tied : take(list.where(isEqual({ ...first, value })));
}

function isBeyond(keys: readonly OwnKey[], before: boolean) {
  const ways = keys.map((key, at) =>
    sql.join([...keys.slice(0, at).map(isEqual), differs(key, before)], AND),
  );
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}

const AND = sql` and `;

function differs({ column, descending = false, value }: OwnKey, before: boolean) {
  const ref = sql.ref(column);
  if (value === null) return before ? sql`${ref} is not null` : sql`1 = 0`;
  const beyond = sql`${ref} ${descending === before ? sql`>` : sql`<`} ${value}`;
  return before || isNeverNull(column) ? beyond : sql`(${beyond} or ${ref} is null)`;
}

function isEqual({ column, value }: OwnKey) {
  const ref = sql.ref(column);
  return value === null ? sql<SqlBool>`${ref} is null` : sql<SqlBool>`${ref} = ${value}`;
}
