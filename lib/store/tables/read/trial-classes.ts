import { type ExpressionBuilder, sql } from "kysely";

import type { FailureClass } from "@/lib/core/triage/classes";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { CLASS_TABLES } from "../schema/derived-details-tables";
import type { IndexTables } from "../schema/tables";
import { atSamePlace, isOfJobs } from "./query";

interface JobRange {
  readonly first: number;
  readonly last: number;
}

/** Tallies counted trials of some classes, and unclassified ones, over jobs with ids from `first` to `last`. */
export async function readClassTallies(store: IndexStore, range: JobRange, classes: readonly FailureClass[]) {
  const columns = ["t.jobRowId", "t.groupKey", "t.taskName", "t.reward", "c.failureClass"] as const;
  return selectClassed(store, range, classes)
    .select([...columns, ({ fn }) => fn.countAll<number>().as("count")])
    .where("t.counts", "=", 1)
    .groupBy(columns)
    .execute();
}

export async function readTrialClasses(
  store: IndexStore,
  { jobRowId, groupKey }: { readonly jobRowId: number; readonly groupKey: string },
  classes: readonly FailureClass[],
): Promise<ReadonlyMap<string, FailureClass | null>> {
  const rows = await selectClassed(store, { first: jobRowId, last: jobRowId }, classes)
    .select(["t.key", "c.failureClass"])
    .where("t.groupKey", "=", toColumnText(groupKey))
    .execute();
  return new Map(rows.map(({ key, failureClass }) => [key, failureClass]));
}

/** Filters jobs to those with a failed trial that has no class from these rules or earlier ones. */
export async function readPartlyClassified(
  store: IndexStore,
  jobs: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await store.db
    .selectFrom("trials as t")
    .leftJoin("trialFailures as f", atSamePlace("t", "f"))
    .select("t.jobRowId")
    .distinct()
    .where(isOfJobs(store, "t.jobRowId", jobs))
    .where("f.jobRowId", "is", null)
    .where(hasFailed)
    .execute();
  return new Set(rows.map(({ jobRowId }) => jobRowId));
}

export async function readJobRules(store: IndexStore, jobs: readonly number[]) {
  const [rows, issues] = await Promise.all([
    store.db
      .selectFrom("jobs")
      .select(["id", "version", "failureRules as rules"])
      .where(isOfJobs(store, "id", jobs))
      .execute(),
    store.db
      .selectFrom("issues")
      .select(["jobRowId", "detail"])
      .where(isOfJobs(store, "jobRowId", jobs))
      .where("origin", "=", "failures")
      .execute(),
  ]);
  const faults = new Map(issues.map(({ jobRowId, detail }) => [jobRowId, detail]));
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, fault: faults.get(id) ?? null }]));
}

/** Equals `hasFailed` of lib/core/triage. */
function hasFailed(where: ExpressionBuilder<IndexTables & { t: IndexTables["trials"] }, "t">) {
  return where.and([
    where("t.outcome", "not in", ["passed", "running"]),
    where.or([where("t.outcome", "!=", "unscored"), where("t.nRewardKeys", "<=", 1)]),
  ]);
}

/** One statement, so that a trial classified meanwhile appears once. */
function selectClassed({ db }: IndexStore, { first, last }: JobRange, classes: readonly FailureClass[]) {
  const ofTable = (table: (typeof CLASS_TABLES)[number]) =>
    db
      .selectFrom<"trialFailures" | "passedFailures">(table)
      .select([
        "jobRowId",
        "position",
        sql<FailureClass | null>`${sql.ref("failureClass")}`.as("failureClass"),
      ])
      .where("jobRowId", ">=", first)
      .where("jobRowId", "<=", last)
      .where("failureClass", "in", classes);
  const isClassified = CLASS_TABLES.map(
    (table) =>
      sql`exists (select 1 from ${sql.table(table)} as c where c."jobRowId" = t."jobRowId" and c.position = t.position)`,
  );
  // With an exception or failed, as in `hasPassedInSpite` of lib/core/triage, and in no table of classes.
  const unclassified = db
    .selectFrom("trials as t")
    .select(["t.jobRowId", "t.position", sql<FailureClass | null>`null`.as("failureClass")])
    .where("t.jobRowId", ">=", first)
    .where("t.jobRowId", "<=", last)
    .where((where) => where.or([where("t.exceptionType", "is not", null), hasFailed(where)]))
    .where(sql<boolean>`not (${sql.join(isClassified, sql` or `)})`);
  return db
    .selectFrom(ofTable("trialFailures").unionAll(ofTable("passedFailures")).unionAll(unclassified).as("c"))
    .innerJoin("trials as t", atSamePlace("t", "c"))
    .where("t.state", "=", "finished");
}
