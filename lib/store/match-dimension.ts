import { sql, type SqlBool } from "kysely";

import { toColumnText } from "@/lib/database";
import type { DimensionFilter } from "@/lib/domain/dimension-filter";

/**
 * Conditions on a row of `trials` for what it says of a dimension: finished trials, as in every figure of dimensions. Positions are looked up in the dimension's own index, so
 * that the other dimensions of the job are not read.
 */
export function matchDimension(jobId: number, filter: DimensionFilter) {
  const { min, max, below, isMissing } = filter;
  const family = filter.family === null ? null : toColumnText(filter.family);
  const range = [
    isMissing || min === null ? null : sql<SqlBool>`share >= ${min}`,
    isMissing || max === null ? null : sql<SqlBool>`share <= ${max}`,
    isMissing || below === null ? null : sql<SqlBool>`share < ${below}`,
  ];
  const conditions = [
    sql<SqlBool>`job_id = ${jobId}`,
    sql<SqlBool>`name = ${toColumnText(filter.name)}`,
    sql<SqlBool>`share is not null`,
    ...range.filter((condition) => condition !== null),
  ];
  const stating = sql`(select position from trial_dimensions where ${sql.join(conditions, sql` and `)})`;
  return [
    sql<SqlBool>`trials.state = 'finished'`,
    family === null ? null : sql<SqlBool>`trials.family = ${family}`,
    isMissing ? sql<SqlBool>`trials.position not in ${stating}` : sql<SqlBool>`trials.position in ${stating}`,
  ];
}
