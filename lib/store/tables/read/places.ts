import { type RawBuilder, sql, type SqlBool } from "kysely";

import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";
import {
  type JobScope,
  NEWEST_FIRST,
  type RowPlace,
  atSamePlace,
  countRows,
  groupKeys,
  hasKey,
  isAmong,
  inOrder,
  isAt,
  writeOrder,
} from "./query";
import {
  type TrialOrder,
  type TrialSelection,
  orderTrials,
  selectStepCounts,
  selectTrials,
} from "./trial-filter";

export type TrialPlace = Awaited<ReturnType<typeof readTrialPlaces>>[number];

export async function readTrialPlaces(store: IndexStore, trialNames: Iterable<string>) {
  return readPlaces(store, isAmong(store, "trials.trialName", trialNames));
}

export async function readPlacesOfTrials(store: IndexStore, namesOrIds: ReadonlySet<string>) {
  const [isName, isId] = ["trialName", "uuid"].map((one) => isAmong(store, `trials.${one}`, namesOrIds));
  return readPlaces(store, sql<SqlBool>`(${isName} or ${isId})`);
}

async function readPlaces(store: IndexStore, isWanted: RawBuilder<SqlBool>) {
  const order = inOrder(NEWEST_FIRST, "trials.position");
  return (await selectPlaces(store).where(isWanted).orderBy(order).execute()).map(toPlace);
}

/** First finished trials of a job from position `first` up to, not including, `end` (null for no end). */
export async function readFinishedPlaces(
  store: IndexStore,
  jobRowId: number,
  { first, end }: { readonly first: number; readonly end: number | null },
  limit: number,
) {
  const query = selectPlaces(store)
    .where((where) => where.and({ "trials.jobRowId": jobRowId, "trials.state": "finished" }))
    .where("trials.position", ">=", first)
    .orderBy("trials.position")
    .limit(limit);
  const rows = await (end === null ? query : query.where("trials.position", "<", end)).execute();
  return rows.map(toPlace);
}

/**
 * Returns the fingerprint of a trial as the index knows it. The result is as of the last scan. The trajectory is as of the last
 * text reading, which follows all results of all jobs. Null without such a trial.
 */
export async function readFingerprint(store: IndexStore, jobRowId: number, trialKey: string) {
  const row = await selectPlaces(store)
    .where((where) => where.and({ "trials.jobRowId": jobRowId, "trials.key": toColumnText(trialKey) }))
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

export type TrialSpot = NonNullable<Awaited<ReturnType<typeof readTrialSpot>>>;

/**
 * Finds a trial's place in a list and its neighbours there. A trial that the filter excludes has the place where the order would
 * put it. Null for a trial outside `jobs`.
 */
export async function readTrialSpot(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  sort: TrialOrder,
  own: RowPlace,
) {
  const isOwn = isAt(store, "trials", [own]);
  const isListed = (await countRows((await selectTrials(store, jobs, selection)).where(isOwn))) > 0;
  const list = (await selectTrials(store, jobs, selection, isOwn))
    .select(["trials.jobRowId", "trials.position", ({ fn }) => fn.countAll<number>().over().as("nRows")])
    .select(
      sql<number>`row_number() over (order by ${writeOrder(orderTrials(sort, jobs, selection))})`.as("place"),
    );
  const { rows } = await sql<RowPlace & Readonly<Record<"place" | "ownPlace" | "nRows", number>>>`
    with list as materialized ${list} select list.*, own.place as "ownPlace" from list
    join list as own on list.place between own.place - 1 and own.place + 1
    where own."jobRowId" = ${own.jobRowId} and own.position = ${own.position}`.execute(store.db);
  const [first] = rows;
  if (first === undefined) return null;
  const marks = await store.db
    .selectFrom("trials")
    .select(["jobRowId", "position", ...MARK_COLUMNS])
    .where(isAt(store, "trials", rows))
    .execute();
  const find = (step: number) => {
    const row = rows.find(({ place, ownPlace }) => place === ownPlace + step);
    return marks.find((mark) => mark.jobRowId === row?.jobRowId && mark.position === row.position) ?? null;
  };
  const nMatching = first.nRows - (isListed ? 0 : 1);
  return { nBefore: first.ownPlace - 1, nMatching, isListed, previous: find(-1), next: find(1) };
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
  const rows = await store.db
    .selectFrom("trials")
    .select(["jobRowId", "key", "durationMs", ...selectStepCounts()])
    .where(hasKey(store, "trials", groupKeys(trials)))
    .execute();
  return new Map(
    rows.map(({ jobRowId, key, nSteps, durationMs }) => [`${jobRowId} ${key}`, { nSteps, durationMs }]),
  );
}

export async function readShownClusters(store: IndexStore, keys: readonly string[]) {
  const rows = await store.db
    .selectFrom("trialFailures")
    .select("clusterKey")
    .distinct()
    .where(isAmong(store, "clusterKey", keys))
    .execute();
  return new Set(rows.map(({ clusterKey }) => clusterKey));
}

/**
 * Returns the texts that are names in the index but not in its visible part: job keys and names, task names, filter values such as
 * agents, folder labels.
 */
export async function findHiddenNames(all: IndexStore, seen: IndexStore, texts: readonly string[]) {
  const known = await readNames(all, [...new Set(texts)]);
  if (known.size === 0) return known;
  const shown = await readNames(seen, [...known]);
  return new Set([...known].filter((name) => !shown.has(name)));
}

const NAMES = [
  ["jobs", "key"],
  ["jobs", "name"],
  ["tasks", "taskName"],
  ["facets", "value"],
  ["roots", "label"],
] as const;

async function readNames(store: IndexStore, texts: readonly string[]) {
  const found = await Promise.all(
    NAMES.map(async ([table, column]) => {
      const named = isAmong(store, column, texts);
      const statement = sql<{
        name: string;
      }>`select distinct ${sql.ref(column)} as name from ${sql.table(table)} where ${named}`;
      return (await statement.execute(store.db)).rows;
    }),
  );
  return new Set(found.flat().map(({ name }) => name));
}
