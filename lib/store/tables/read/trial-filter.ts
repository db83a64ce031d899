import { type RawBuilder, sql, type SqlBool } from "kysely";

import type { DimensionFilter } from "@/lib/core/domain/dimension-filter";
import type { TrialSort } from "@/lib/core/fields/trials.fields";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { TRIAL_ORDERS } from "../schema/trial-tables";
import type { GroupPlace } from "./groups";
import { atSamePlace, hasKey, isAmong, isOfJobs, type JobScope, type TrialKeys, contains } from "./query";
import { matchText } from "./search";

/** Null is an open end. Trials without the number match no range. */
interface ColumnRange {
  readonly min: number | null;
  readonly max: number | null;
}

/** Empty lists, an empty text and open ranges mean no filter. */
export interface TrialSelection {
  readonly text: string;
  readonly outcomes: readonly string[];
  readonly exceptions: readonly string[];
  readonly failureClasses: readonly string[];
  readonly clusters: readonly string[];
  readonly groups: readonly string[];
  readonly agents: readonly string[];
  readonly exceptAgents: readonly string[];
  readonly tasks: readonly string[];
  /** The trial must state one of these task digests, or none. */
  readonly digests: readonly string[];
  readonly evidence: string;
  readonly scanners: readonly string[];
  readonly runs: readonly GroupPlace[] | null;
  readonly rewardKey: string | null;
  readonly reward: ColumnRange;
  readonly costUsd: ColumnRange;
  readonly durationMs: ColumnRange;
  /** Earliest end, ms since 1970-01-01; null for any time and none. */
  readonly endedFromMs: number | null;
  readonly only: TrialKeys | null;
  readonly except: TrialKeys;
  /** Path of a figure whose trials match. Ignored over several jobs. */
  readonly figure: string | null;
  /** Ignored over several jobs. */
  readonly dimension: DimensionFilter | null;
}

export interface TrialOrder {
  readonly by: TrialSort;
  readonly descending: boolean;
}

/** Task positions belong to one job, so several jobs are sorted by task name. */
const TASK_OF_ANY_JOB = ["trials.taskName", "trials.groupKey", "trials.jobRowId", "trials.attempt"] as const;

export function orderTrials(sort: TrialOrder, jobs: JobScope, { text }: Pick<TrialSelection, "text">) {
  const isOneJob = typeof jobs === "number";
  const columns = isOneJob || sort.by !== "task" ? TRIAL_ORDERS[sort.by] : TASK_OF_ANY_JOB;
  const own = columns.map((column) => ({ column, descending: sort.descending }));
  const first = text === "" || sort.by !== "task" ? [] : [{ column: "isUnnamed" }];
  return [
    ...first,
    ...own,
    ...(isOneJob ? [] : [{ column: "trials.jobRowId" }]),
    { column: "trials.position" },
  ];
}

/**
 * Selects trials with computed sort columns: `shownReward`, step counts, `isUnnamed` (0 for a match by name) and `textId` (null
 * without a text). Not ordered or cut.
 */
function selectAllTrials(
  store: IndexStore,
  jobs: JobScope,
  { rewardKey, text }: Pick<TrialSelection, "rewardKey" | "text">,
) {
  const key = rewardKey === null ? null : toColumnText(rewardKey);
  const all = store.db
    .selectFrom("trials")
    .selectAll("trials")
    .select([selectShownReward(key).as("shownReward"), ...selectStepCounts()])
    .where(isOfJobs(store, "trials.jobRowId", jobs));
  const trials =
    text === ""
      ? all.select([sql<number | null>`null`.as("textId"), sql<number>`0`.as("isUnnamed")])
      : all
          .leftJoin(selectTextIds(store, jobs).as("said"), atSamePlace("trials", "said"))
          .select("said.id as textId")
          .select(
            sql<number>`case when ${matchText(store, text, { textId: "said.id", jobs }).isNamed} then 0 else 1 end`.as(
              "isUnnamed",
            ),
          );
  // Computed columns need a subquery of their own before rows are ordered by them.
  return store.db.selectFrom(trials.as("trials"));
}

/** Text ids with places of trials. Reads all at once: PostgreSQL underestimates single look-ups, 200 ms instead of 60. */
function selectTextIds(store: IndexStore, jobs: JobScope) {
  const ids = store.db
    .selectFrom("trialTexts")
    .select(["id", "jobRowId", "position"])
    .where(isOfJobs(store, "jobRowId", jobs));
  return store.engine === "postgres" ? ids.offset(0) : ids;
}

function selectShownReward(key: string | null) {
  if (key === null) return sql<number | null>`${sql.ref("trials.reward")}`;
  const several = sql`select value from ${sql.table("trialRewards")} as r where ${isSamePlace("r")} and r.key = ${key}`;
  return sql<
    number | null
  >`coalesce((${several}), case when ${sql.ref("trials.rewardKey")} = ${key} then trials.reward end)`;
}

/** Null while steps are not read, and without any. */
export function selectStepCounts() {
  return (["nSteps", "nErrors"] as const).map((column) =>
    sql<
      number | null
    >`(select ${sql.ref(column)} from ${sql.table("trialTexts")} as t where ${isSamePlace("t")})`.as(column),
  );
}

export function isSamePlace(table: string) {
  const [job, position] = [sql.ref(`${table}.jobRowId`), sql.ref(`${table}.position`)];
  return sql`${job} = ${sql.ref("trials.jobRowId")} and ${position} = ${sql.ref("trials.position")}`;
}

/** @param or - selects further trials */
export async function selectTrials(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  or: RawBuilder<SqlBool> | null = null,
) {
  const figure =
    selection.figure === null || typeof jobs !== "number"
      ? null
      : await readFigureTrials(store, jobs, selection.figure);
  const isFound = matches(store, jobs, selection, figure);
  return selectAllTrials(store, jobs, selection).where(
    or === null ? isFound : sql<SqlBool>`(${isFound} or ${or})`,
  );
}

type Condition = RawBuilder<SqlBool> | null;

function matches(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  figure: readonly number[] | null,
) {
  const oneOf = (column: string, values: readonly string[]) =>
    values.length === 0 ? null : isAmong(store, column, values);
  const { text, groups, digests, evidence, runs, endedFromMs, only, except, dimension } = selection;
  const inEvidence = evidence === "" ? null : contains("search", evidence.toLowerCase());
  const conditions: readonly Condition[] = [
    oneOf("trials.outcome", selection.outcomes),
    either(oneOf("trials.groupKey", groups), isAmong(store, "trials.setupKey", groups)),
    runs && isOfRuns(runs),
    oneOf("trials.agent", selection.agents),
    not(oneOf("trials.agent", selection.exceptAgents)),
    oneOf("trials.taskName", selection.tasks),
    oneOf("trials.exceptionType", selection.exceptions),
    either(oneOf("trials.taskDigest", digests), sql`${sql.ref("trials.taskDigest")} is null`),
    isPlacedIn("trialFailures", oneOf("failureClass", selection.failureClasses)),
    isPlacedIn("trialFailures", oneOf("clusterKey", selection.clusters)),
    isPlacedIn("failureEvidence", inEvidence),
    isFoundBy(oneOf("s.scanner", selection.scanners)),
    ...within("trials.shownReward", selection.reward),
    ...within("trials.costUsd", selection.costUsd),
    ...within("trials.durationMs", selection.durationMs),
    endedFromMs === null ? null : hasEndedFrom(endedFromMs),
    text === "" ? null : matchText(store, text, { textId: "trials.textId", jobs }).isFound,
    only && hasKey(store, "trials", only),
    not(except.size === 0 ? null : hasKey(store, "trials", except)),
    figure && isAmong(store, "trials.position", figure),
    ...(dimension === null || typeof jobs !== "number" ? [] : matchDimension(jobs, dimension)),
  ];
  const all = conditions.filter((condition) => condition !== null);
  return all.length === 0 ? sql<SqlBool>`(1 = 1)` : sql<SqlBool>`(${sql.join(all, sql` and `)})`;
}

function not(condition: Condition): Condition {
  return condition && sql<SqlBool>`not ${condition}`;
}

function either(condition: Condition, other: RawBuilder<unknown>): Condition {
  return condition && sql<SqlBool>`(${condition} or ${other})`;
}

/** Trials without a known duration count by their start. */
function hasEndedFrom(ms: number) {
  const [started, duration] = [sql.ref("trials.startedMs"), sql.ref("trials.durationMs")];
  return sql<SqlBool>`${started} + coalesce(${duration}, 0) >= ${ms}`;
}

function isFoundBy(scanner: Condition): Condition {
  const found = sql`select 1 from ${sql.table("trialScans")} as s where ${isSamePlace("s")}`;
  return scanner && sql<SqlBool>`exists (${found} and ${sql.ref("s.nPlaces")} > 0 and ${scanner})`;
}

function isOfRuns(runs: readonly GroupPlace[]) {
  if (runs.length === 0) return sql<SqlBool>`1 = 0`;
  const [job, group, part] = ["jobRowId", "groupKey", "setupKey"].map((column) =>
    sql.ref(`trials.${column}`),
  );
  const each = runs.map(({ jobRowId, key }) => {
    const own = toColumnText(key);
    return sql<SqlBool>`(${job} = ${jobRowId} and (${group} = ${own} or ${part} = ${own}))`;
  });
  return sql<SqlBool>`(${sql.join(each, sql` or `)})`;
}

function within(column: string, { min, max }: ColumnRange) {
  const ref = sql.ref(column);
  return [
    min === null ? null : sql<SqlBool>`${ref} >= ${min}`,
    max === null ? null : sql<SqlBool>`${ref} <= ${max}`,
  ];
}

async function readFigureTrials({ db }: IndexStore, jobRowId: number, path: string) {
  const figure = await db
    .selectFrom("figures")
    .select("trials")
    .where((where) => where.and({ jobRowId, path: toColumnText(path) }))
    .executeTakeFirst();
  return figure === undefined ? [] : (JSON.parse(figure.trials) as number[]);
}

function isPlacedIn(table: "trialFailures" | "failureEvidence", which: Condition): Condition {
  const [job, position] = [sql.ref("trials.jobRowId"), sql.ref("trials.position")];
  const places = sql`select ${sql.ref("jobRowId")}, position from ${sql.table(table)} where ${which}`;
  return which && sql<SqlBool>`(${job}, ${position}) in (${places})`;
}

/**
 * Matches finished trials, as all dimension figures do. A range uses the dimension's own index, since few trials are in it. The
 * check that a trial states the dimension runs per trial, since most do.
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
