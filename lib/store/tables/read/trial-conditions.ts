import { sql, type SqlBool } from "kysely";

import type { DimensionFilter } from "@/lib/core/domain/dimension-filter";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { contains, isAmong } from "./query";

export function matchFailure(
  store: IndexStore,
  {
    failureClasses,
    clusters,
    evidence,
  }: {
    readonly failureClasses: readonly string[];
    readonly clusters: readonly string[];
    readonly evidence: string;
  },
) {
  return [
    failureClasses.length === 0 ? null : hasFailure(store, "failureClass", failureClasses),
    clusters.length === 0 ? null : hasFailure(store, "clusterKey", clusters),
    evidence === "" ? null : isInEvidence(evidence),
  ];
}

function hasFailure(store: IndexStore, column: "failureClass" | "clusterKey", values: readonly string[]) {
  const [job, position] = [sql.ref("trials.jobRowId"), sql.ref("trials.position")];
  const places = sql`select ${sql.ref("jobRowId")}, position from ${sql.table("trialFailures")}`;
  return sql<SqlBool>`(${job}, ${position}) in (${places} where ${isAmong(store, column, values)})`;
}

function isInEvidence(text: string) {
  const [job, position] = [sql.ref("trials.jobRowId"), sql.ref("trials.position")];
  const places = sql`select ${sql.ref("jobRowId")}, position from ${sql.table("failureEvidence")}`;
  return sql<SqlBool>`(${job}, ${position}) in (${places} where ${contains("search", text.toLowerCase())})`;
}

/**
 * Matches finished trials, as all dimension figures do. A range uses the dimension's own index, since few trials are in it. The
 * check that a trial states the dimension runs per trial, since most do.
 */
export function matchDimension(jobRowId: number, filter: DimensionFilter) {
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
