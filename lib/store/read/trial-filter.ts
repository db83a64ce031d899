import { type ExpressionBuilder, sql, type SqlBool } from "kysely";

import { toColumnText } from "@/lib/database";
import type { DimensionFilter } from "@/lib/domain/dimension-filter";

import { atSamePlace, hasKey, isAmong, isOfJobs, type JobScope, type SortKey, type TrialKeys } from "./query";
import type { GroupPlace } from "./groups";
import { matchDimension, matchFailure } from "./trial-conditions";
import { matchText } from "./trial-texts";
import type { IndexStore } from "../open-store";
import { parsePositions } from "../schema/positions";
import type { IndexTables } from "../schema/tables";

/** A range of a number; null is an open end. A trial without the number is in no range. */
export interface ColumnRange {
  readonly min: number | null;
  readonly max: number | null;
}

/** Which trials of some jobs. Empty lists, an empty text and open ranges mean no filter. */
export interface TrialSelection {
  /** Occurs in task, trial or exception, or its terms do in what the trial says, see `parseSearch`. */
  readonly text: string;
  readonly outcomes: readonly string[];
  readonly exceptions: readonly string[];
  /** Why they did not pass, see `trialFailures`. */
  readonly failureClasses: readonly string[];
  /** Keys of clusters of failures. */
  readonly clusters: readonly string[];
  /** Keys of groups, or of parts of groups that are divided by agent settings. */
  readonly groups: readonly string[];
  readonly agents: readonly string[];
  /** Agents whose trials are left out. */
  readonly exceptAgents: readonly string[];
  readonly tasks: readonly string[];
  /** Digests of tasks, one of which it must state, or none at all. */
  readonly digests: readonly string[];
  /** Occurs in the evidence of why it did not pass, or in the rule's sentence; any case. */
  readonly evidence: string;
  /** Ids of scanners, one of which must have found something in it. */
  readonly scanners: readonly string[];
  /** Groups of jobs, or parts of groups, that it must be of; null for any. */
  readonly runs: readonly GroupPlace[] | null;
  /** Reward that `reward` and the sort by reward mean; null is the headline. */
  readonly rewardKey: string | null;
  readonly reward: ColumnRange;
  readonly costUsd: ColumnRange;
  readonly durationMs: ColumnRange;
  /** When it must have ended at the earliest, ms since 1970-01-01; null for any time and none. */
  readonly endedFromMs: number | null;
  /** Trials that it must be among; null for any. */
  readonly only: TrialKeys | null;
  /** Trials that it must not be among. */
  readonly except: TrialKeys;
  /** Path of a figure: only the trials behind it. Of one job alone: of several this filters nothing. */
  readonly figure: string | null;
  /** What its verifier says of a dimension; of one job alone too. */
  readonly dimension: DimensionFilter | null;
}

export type TrialSort =
  | "task"
  | "agent"
  | "outcome"
  | "exception"
  | "reward"
  | "cost"
  | "duration"
  | "tokens"
  | "steps"
  | "errors"
  | "started";

const SORTS: Readonly<Record<TrialSort, readonly string[]>> = {
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

/** Which column a list of trials is sorted by; equals come in directory order, job by job. */
export interface TrialOrder {
  readonly by: TrialSort;
  readonly descending: boolean;
}

/** The places of tasks are those of one job: over several jobs tasks come by their names. */
const TASK_OF_ANY_JOB = ["trials.taskName", "trials.groupKey", "trials.jobRowId", "trials.attempt"] as const;

/** The columns of an order of trials. By task, what a text finds by name comes first. */
export function orderTrials(
  sort: TrialOrder,
  jobs: JobScope,
  { text }: Pick<TrialSelection, "text">,
): readonly SortKey[] {
  const isOneJob = typeof jobs === "number";
  const columns = isOneJob || sort.by !== "task" ? SORTS[sort.by] : TASK_OF_ANY_JOB;
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
 * The trials of some jobs with columns that they are ordered by beside their own: the reward that is shown as `shownReward`,
 * the number of their steps and of those with an error, `isUnnamed`, 0 where the text is found by name, and `textId`, null
 * without a text. Neither ordered nor cut.
 */
export function selectAllTrials(
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
  // Computed columns are named in a query of their own before rows are ordered and cut by them.
  return store.db.selectFrom(trials.as("trials"));
}

/** Ids of texts with the places of their trials; all at once, since PostgreSQL takes looking up each one for cheap: 200 ms instead of 60. */
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

/** Columns for a row of `trials`: its steps, and those with an error; null while they are not read, and without any. */
export function selectStepCounts() {
  return (["nSteps", "nErrors"] as const).map((column) =>
    sql<
      number | null
    >`(select ${sql.ref(column)} from ${sql.table("trialTexts")} as t where ${isSamePlace("t")})`.as(column),
  );
}

function isSamePlace(table: string) {
  const [job, position] = [sql.ref(`${table}.jobRowId`), sql.ref(`${table}.position`)];
  return sql`${job} = ${sql.ref("trials.jobRowId")} and ${position} = ${sql.ref("trials.position")}`;
}

/** Those of them that fit. */
export async function selectTrials(store: IndexStore, jobs: JobScope, selection: TrialSelection) {
  const figure =
    selection.figure === null || typeof jobs !== "number"
      ? null
      : await readFigureTrials(store, jobs, selection.figure);
  return selectAllTrials(store, jobs, selection).where((where) =>
    matches(store, jobs, where as never, selection, figure),
  );
}

type Where = ExpressionBuilder<IndexTables, "trials">;

function matches(
  store: IndexStore,
  jobs: JobScope,
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
    selection.runs === null ? null : isOfRuns(selection.runs),
    oneOf("trials.agent", selection.agents),
    oneOf("trials.taskName", selection.tasks),
    oneOf("trials.exceptionType", selection.exceptions),
    ...matchVersion(store, where, selection),
    ...matchFailure(store, selection),
    selection.scanners.length === 0 ? null : isFoundBy(store, selection.scanners),
    ...within("trials.shownReward", selection.reward),
    ...within("trials.costUsd", selection.costUsd),
    ...within("trials.durationMs", selection.durationMs),
    selection.endedFromMs === null ? null : hasEndedFrom(selection.endedFromMs),
    selection.text === ""
      ? null
      : matchText(store, selection.text, { textId: "trials.textId", jobs }).isFound,
    selection.only === null ? null : hasKey(store, "trials", selection.only),
    selection.except.size === 0 ? null : sql<SqlBool>`not ${hasKey(store, "trials", selection.except)}`,
    figure === null ? null : isAmong(store, "trials.position", figure),
    ...(selection.dimension === null || typeof jobs !== "number"
      ? []
      : matchDimension(jobs, selection.dimension)),
  ];
  return where.and(conditions.filter((condition) => condition !== null));
}

/** A condition: it ended then or later; one without a known length when it started. */
function hasEndedFrom(ms: number) {
  const [started, duration] = [sql.ref("trials.startedMs"), sql.ref("trials.durationMs")];
  return sql<SqlBool>`${started} + coalesce(${duration}, 0) >= ${ms}`;
}

/** Conditions: of none of these agents, and at one of these versions of a task or at none that is stated. */
function matchVersion(store: IndexStore, where: Where, { exceptAgents, digests }: TrialSelection) {
  return [
    exceptAgents.length === 0 ? null : sql<SqlBool>`not ${isAmong(store, "trials.agent", exceptAgents)}`,
    digests.length === 0
      ? null
      : where.or([isAmong(store, "trials.taskDigest", digests), where("trials.taskDigest", "is", null)]),
  ];
}

/** A condition: one of these scanners found something in it. */
function isFoundBy(store: IndexStore, scanners: readonly string[]) {
  const found = sql`select 1 from ${sql.table("trialScans")} as s where ${isSamePlace("s")}`;
  return sql<SqlBool>`exists (${found} and ${sql.ref("s.nPlaces")} > 0 and ${isAmong(store, "s.scanner", scanners)})`;
}

/** A condition: the row is of one of these groups. */
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
