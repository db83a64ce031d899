import { sql } from "kysely";

import { toColumnText } from "@/lib/database";
import type { FailureClass } from "@/lib/triage/classes";

import { atSamePlace } from "./query";
import type { IndexStore } from "../open-store";
import { CLASS_TABLES } from "../schema/derived-details-tables";

/** Row ids of jobs, both ends included. */
interface JobRange {
  readonly first: number;
  readonly last: number;
}

/** So many finished trials of a group at one task with one headline reward, null for none. */
interface ClassTally {
  readonly jobRowId: number;
  readonly groupKey: string;
  readonly taskName: string;
  readonly reward: number | null;
  /** Null while they are not classified. */
  readonly failureClass: FailureClass | null;
  readonly count: number;
}

/** Finished trials of some classes, and those that are not classified yet, of all jobs whose ids lie from `first` to `last`. */
export async function readClassTallies(
  store: IndexStore,
  range: JobRange,
  classes: readonly FailureClass[],
): Promise<readonly ClassTally[]> {
  const columns = ["t.jobRowId", "t.groupKey", "t.taskName", "t.reward", "c.failureClass"] as const;
  return selectClassed(store, range, classes)
    .select([...columns, ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy(columns)
    .execute();
}

/** The same trials of one evals group by their keys; null for one that is not classified yet. */
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

/** One statement, so that a trial which is classified meanwhile is in it once. */
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
  // What `hasFailed` and `hasPassedInSpite` of lib/triage say, of trials that no table of classes has.
  const unclassified = db
    .selectFrom("trials as t")
    .select(["t.jobRowId", "t.position", sql<FailureClass | null>`null`.as("failureClass")])
    .where("t.jobRowId", ">=", first)
    .where("t.jobRowId", "<=", last)
    .where((where) =>
      where.or([
        where("t.exceptionType", "is not", null),
        where.and([
          where("t.outcome", "!=", "passed"),
          where.or([where("t.outcome", "!=", "unscored"), where("t.nRewardKeys", "<=", 1)]),
        ]),
      ]),
    )
    .where(sql<boolean>`not (${sql.join(isClassified, sql` or `)})`);
  return db
    .selectFrom(ofTable("trialFailures").unionAll(ofTable("passedFailures")).unionAll(unclassified).as("c"))
    .innerJoin("trials as t", atSamePlace("t", "c"))
    .where("t.state", "=", "finished");
}
