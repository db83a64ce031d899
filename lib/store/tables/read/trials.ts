import { type ExpressionBuilder, sql } from "kysely";

import type { ListPage, ListRange } from "@/lib/core/domain/list-page";
import type { Trial } from "@/lib/core/domain/trial";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { IndexTables, Stored } from "../schema/tables";
import type { GroupPlace } from "./groups";
import {
  type JobScope,
  type RowPlace,
  atSamePlace,
  isAmong,
  isAt,
  isOfJobs,
  orderList,
  readListPage,
  readPageAtOnce,
} from "./query";
import { shareTexts } from "./shared-text";
import {
  type TrialOrder,
  type TrialSelection,
  orderTrials,
  selectStepCounts,
  selectTrials,
} from "./trial-filter";

export type { JobScope, RowPlace, TrialKeys } from "./query";
export type { TrialOrder, TrialSelection } from "./trial-filter";

/**
 * A trial with what only the index holds. `setup` is its part of a divided group, and its number in there. `nSteps` and `nErrors`
 * count steps of the trajectory, and those with an error; null without one, and while it is not read.
 */
export type TrialRow = ReturnType<typeof toRow>;

const PLACE = ["trials.jobRowId", "trials.position"] as const;

export async function readTrials(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  sort: TrialOrder,
  range: ListRange,
): Promise<ListPage<TrialRow>> {
  const list = (await selectTrials(store, jobs, selection)).select(PLACE);
  const order = orderTrials(sort, jobs, selection);
  // Finding the rows of a text costs more than everything else.
  const page = await (selection.text === ""
    ? readListPage(list, order, range)
    : readPageAtOnce(list, order, range));
  return { ...page, rows: await readTrialsAt(store, page.rows) };
}

/**
 * Returns places of all matching trials, in the order of {@link readTrials}. Lists of any length use it, since every page would
 * sort the whole list again.
 */
export async function listTrialPlaces(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  sort: TrialOrder,
): Promise<readonly RowPlace[]> {
  const list = (await selectTrials(store, jobs, selection)).select(PLACE);
  return orderList(list, orderTrials(sort, jobs, selection)).execute();
}

export async function readTrialsAt(store: IndexStore, places: readonly RowPlace[]) {
  if (places.length === 0) return [];
  const found = await selectRows(store)
    .where(isAt(store, "trials", places))
    .execute();
  const rows = new Map(found.map((row) => [namePlace(row), toRow(row)]));
  return places.flatMap((place) => rows.get(namePlace(place)) ?? []);
}

function selectRows({ db }: IndexStore) {
  const label = sql<string | null>`(select label from "taskLabels" as l
    where l."jobRowId" = trials."jobRowId" and l.position = trials."taskPosition")`;
  return db
    .selectFrom("trials")
    .innerJoin("trialRecords", atSamePlace("trialRecords", "trials"))
    .select([...PLACE, "trials.groupKey", "trials.setupKey", "trials.setupAttempt", "trials.attempt"])
    .select(["trials.durationMs", "trials.nTokens", "trials.nRewardKeys", "trials.filesDiffer"])
    .select(["trialRecords.record", label.as("taskLabel")])
    .select(selectStepCounts());
}

type SelectedRow = Awaited<ReturnType<ReturnType<typeof selectRows>["execute"]>>[number];

function toRow({ record, taskLabel, setupKey, setupAttempt, attempt, ...row }: SelectedRow) {
  const trial = decodeValue(record);
  return {
    ...row,
    trial: taskLabel === null ? trial : { ...trial, taskName: taskLabel },
    setup: setupKey === null ? null : { key: setupKey, attempt: setupAttempt ?? attempt },
  };
}

export async function readTrial(store: IndexStore, jobRowId: number, asked: string) {
  const key = toColumnText(asked);
  const trials = selectRows(store).where("trials.jobRowId", "=", jobRowId).limit(2);
  const byKey = await trials.where("trials.key", "=", key).execute();
  const found = byKey.length === 1 ? byKey : await trials.where("trials.trialName", "=", key).execute();
  const [row] = found;
  return found.length === 1 && row !== undefined ? toRow(row) : null;
}

export async function readAllTrials({ db }: IndexStore, jobRowId: number): Promise<readonly Trial[]> {
  const rows = await db
    .selectFrom("trialRecords")
    .select("record")
    .where("jobRowId", "=", jobRowId)
    .orderBy("position")
    .execute();
  return rows.map(({ record }) => decodeValue(record));
}

export async function readRewardKeys(store: IndexStore, jobRowId: number): Promise<readonly string[]> {
  const single = await store.db
    .selectFrom("trials")
    .select((select) => select.fn.min<number>("position").as("position"))
    .where("jobRowId", "=", jobRowId)
    .where("rewardKey", "is not", null)
    .groupBy("rewardKey")
    .execute();
  const several = await store.db
    .selectFrom("trialRewards")
    .select((select) => select.fn.min<number>("position").as("position"))
    .where("jobRowId", "=", jobRowId)
    .groupBy("key")
    .execute();
  const firsts = new Set([...single, ...several].map(({ position }) => position));
  const records = await store.db
    .selectFrom("trialRecords")
    .select("record")
    .where("jobRowId", "=", jobRowId)
    .where(isAmong(store, "position", firsts))
    .orderBy("position")
    .execute();
  return [...new Set(records.flatMap(({ record }) => [...(decodeValue(record).rewards?.keys() ?? [])]))];
}

export type PlacedTrial = Awaited<ReturnType<typeof readPlacedTrials>>[number];

async function readPlacedTrials({ db }: IndexStore, jobRowId: number, from: number, limit: number) {
  const rows = await db
    .selectFrom("trialRecords")
    .innerJoin("trials", atSamePlace("trials", "trialRecords"))
    .select(["trialRecords.position", "trials.groupKey", "trials.taskName", "trialRecords.record"])
    .where("trialRecords.jobRowId", "=", jobRowId)
    .where("trialRecords.position", ">=", from)
    .orderBy("trialRecords.position")
    .limit(limit)
    .execute();
  return rows.map(({ record, ...place }) => ({ ...place, trial: decodeValue(record) }));
}

/** Yields the trials of a job in order, in batches; the last one may be empty. */
export async function* readTrialBatches(
  store: IndexStore,
  jobRowId: number,
  size: number,
): AsyncGenerator<readonly PlacedTrial[], void> {
  for (let from = 0; ;) {
    const trials = await readPlacedTrials(store, jobRowId, from, size);
    yield trials;
    if (trials.length < size) return;
    from = (trials.at(-1)?.position ?? from) + 1;
  }
}

export type TrialCandidate = Awaited<ReturnType<typeof readCandidates>>[number];

/** Keeps the order of `readTrials` and leaves out records: 100,000 candidates take some tens of MB. */
export async function readCandidates(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  sort: TrialOrder,
) {
  const list = (await selectTrials(store, jobs, selection))
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.uuid", "trials.runUuid"])
    .select(["trials.trialName", "trials.taskName", "trials.agent", "trials.model", "trials.outcome"])
    .select("trials.rewardText")
    .where("trials.state", "=", "finished");
  return orderList(list, orderTrials(sort, jobs, selection)).execute();
}

export type PopulationTrial = Pick<
  Stored<"trials">,
  "jobRowId" | "key" | "family" | "groupKey" | "setupKey" | "agent" | "model" | "outcome"
>;

export async function readPopulation(store: IndexStore, jobs: JobScope, selection: TrialSelection) {
  return (await selectTrials(store, jobs, selection))
    .select(["trials.jobRowId", "trials.key", "trials.family", "trials.groupKey", "trials.setupKey"])
    .select(["trials.agent", "trials.model", "trials.outcome"])
    .where("trials.state", "=", "finished")
    .execute();
}

export async function readFlakyAttempts(store: IndexStore, jobs: JobScope): Promise<ReadonlySet<string>> {
  const passed = sql<number>`case when outcome = 'passed' then 1 else 0 end`;
  const rows = await store.db
    .selectFrom("trials")
    .select(["agent", "model", "taskName"])
    .where("state", "=", "finished")
    .where("outcome", "not in", ["invalid", "missing", "unreadable", "unscored"])
    .where(isOfJobs(store, "jobRowId", jobs))
    .groupBy(["agent", "model", "taskName"])
    .having(sql<number>`max(${passed})`, "=", 1)
    .having(sql<number>`min(${passed})`, "=", 0)
    .execute();
  return new Set(rows.map(nameAttempts));
}

export function nameAttempts({
  agent,
  model,
  taskName,
}: Pick<TrialCandidate, "agent" | "model" | "taskName">): string {
  return JSON.stringify([agent, model, taskName]);
}

/** Keys are those of {@link namePlace}; trials without failed parts are absent. */
export async function readFailedParts(store: IndexStore, jobs: JobScope) {
  const [tests, dimensions] = await Promise.all([
    store.db
      .selectFrom("trialTests")
      .select(["jobRowId", "position", "failed"])
      .where("nFailed", ">", 0)
      .where(isOfJobs(store, "jobRowId", jobs))
      .execute(),
    store.db
      .selectFrom("trialDimensions")
      .select(["jobRowId", "position", "name"])
      .where("share", "<", 1)
      .where(isOfJobs(store, "jobRowId", jobs))
      .execute(),
  ]);
  const failed = new Map(tests.map((row) => [namePlace(row), decodeValue(row.failed)]));
  const below = Map.groupBy(dimensions, namePlace);
  return new Map(
    [...new Set([...failed.keys(), ...below.keys()])].map((place) => [
      place,
      { tests: failed.get(place) ?? [], dimensions: (below.get(place) ?? []).map(({ name }) => name) },
    ]),
  );
}

export function namePlace({ jobRowId, position }: RowPlace): string {
  return `${jobRowId} ${position}`;
}

const NO_REWARDS: ReadonlyMap<string, number> = new Map();

export async function readCountedTrials(store: IndexStore, place: GroupPlace) {
  const rows = await store.db
    .selectFrom("trials")
    .select(["position", "key", "uuid", "taskName", "taskDigest", "agentVersion", "attempt", "state"])
    .select(["outcome", "hasFolder", "rewardKey", "reward", "nRewardKeys", "exceptionType"])
    .select(["costUsd", "nTokens", "durationMs", "counts", "rewardValid"])
    .where(isInGroup(place))
    .orderBy("position")
    .execute();
  const several = rows.some(({ nRewardKeys }) => nRewardKeys > 1) ? await readSeveral(store, place) : null;
  const sources = await readSourceIds(store, place);
  const single = createSingleRewards();
  return rows.map(
    ({ position, hasFolder, rewardKey, reward, nRewardKeys, counts, rewardValid, ...trial }) => ({
      ...shareTexts(trial, ["taskName", "taskDigest", "agentVersion", "state", "outcome", "exceptionType"]),
      counts: counts === 1,
      isRewardValid: rewardValid === 1,
      hasFolder: hasFolder === 1,
      /** Id of the trial it regrades, null if no file states it; undefined for a trial that was run. */
      sourceUuid: sources.get(position),
      rewards:
        nRewardKeys > 1
          ? (several?.get(position) ?? NO_REWARDS)
          : rewardKey === null
            ? NO_REWARDS
            : single(rewardKey, reward ?? Number.NaN),
    }),
  );
}

/** Shares one map among equal rewards: a map takes 200 bytes, and most rewards are 0 or 1. */
function createSingleRewards(): (key: string, value: number) => ReadonlyMap<string, number> {
  const made = new Map<string, ReadonlyMap<string, number>>();
  return (key, value) => {
    // Both zeros print alike.
    const name = `${Object.is(value, -0) ? "-" : ""}${value} ${key}`;
    const rewards = made.get(name) ?? new Map([[key, value]]);
    made.set(name, rewards);
    return rewards;
  };
}

function isInGroup({ jobRowId, key }: GroupPlace) {
  return (where: ExpressionBuilder<IndexTables, "trials">) =>
    where.and([
      where("trials.jobRowId", "=", jobRowId),
      where.or([
        where("trials.groupKey", "=", toColumnText(key)),
        where("trials.setupKey", "=", toColumnText(key)),
      ]),
    ]);
}

/** Selects by group, so that a job of a hundred groups does not read the rows of the other groups. */
function selectPositions(db: IndexStore["db"], place: GroupPlace) {
  return db.selectFrom("trials").select("trials.position").where(isInGroup(place));
}

async function readSeveral({ db }: IndexStore, place: GroupPlace) {
  const rows = await db
    .selectFrom("trialRewards")
    .select(["position", "key", "value"])
    .where("jobRowId", "=", place.jobRowId)
    .where("position", "in", selectPositions(db, place))
    .execute();
  const byTrial = Map.groupBy(rows, ({ position }) => position);
  return new Map(
    Array.from(byTrial, ([position, own]) => [
      position,
      new Map(own.map(({ key, value }) => [key, value ?? Number.NaN])),
    ]),
  );
}

async function readSourceIds({ db }: IndexStore, place: GroupPlace) {
  const rows = await db
    .selectFrom("trialSources")
    .select(["position", "uuid"])
    .where("jobRowId", "=", place.jobRowId)
    .where("position", "in", selectPositions(db, place))
    .execute();
  return new Map(rows.map(({ position, uuid }) => [position, uuid]));
}

export async function readGroupSettings({ db }: IndexStore, { jobRowId, key }: GroupPlace) {
  const row = await db
    .selectFrom("groupSettings")
    .select(["settings", "environment"])
    .where((where) => where.and({ jobRowId, key: toColumnText(key) }))
    .executeTakeFirst();
  const settings = row === undefined ? null : decodeValue(row.settings);
  return {
    settings: settings && new Map(Array.from(settings, ([name, values]) => [name, new Set(values)])),
    environment: row === undefined ? new Map() : decodeValue(row.environment),
  };
}
