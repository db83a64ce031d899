import { type Kysely, sql } from "kysely";

/**
 * What SQLite is told of the tables before they hold anything: rows in all, then rows that share the first column of an
 * index, the first two, and so on. Told nothing, it takes a job for ten rows and reads all of its trials to find one.
 */
const STATISTICS: readonly (readonly [table: string, index: string, rows: string])[] = [
  ["trials", "trials", "100000 1000 1"],
  ["trials", "trials_by_job_id_key", "100000 1000 1"],
  ["trials", "trials_by_job_id_task_position", "100000 1000 10"],
  ["trials", "trials_by_job_id_task_name_group_key_attempt_state_reward", "100000 1000 10 5 1 1 1"],
  ["trials", "trials_exception", "10000 1000 20"],
  ["trial_records", "trial_records", "100000 1000 1"],
  ["trial_rewards", "trial_rewards_by_job_id_position", "100000 1000 3"],
  ["trial_sources", "trial_sources", "2000 200 1"],
  ["trial_links", "trial_links", "2000 200 1"],
  ["trial_links", "trial_links_by_source_job_id_source_position", "2000 200 1"],
  ["recorded_judgments", "recorded_judgments", "10000 100 3 1"],
  ["tasks", "tasks", "10000 100 1"],
  ["figures", "figures", "100000 1000 1"],
  ["figures", "figures_by_job_id_kind_trials", "100000 1000 200 1"],
  ["issues", "issues_by_job_id", "10000 100"],
  ["trial_dimensions", "trial_dimensions", "500000 5000 5 1"],
  ["trial_dimensions", "trial_dimensions_by_job_id_name_share_position", "500000 5000 1000 50 1"],
  ["trial_tags", "trial_tags", "20000 200 2 1"],
  ["families", "families", "200 2 1"],
  ["trial_checks", "trial_checks", "100000 1000 1"],
  ["trial_checks", "trial_checks_by_compare_key_rewards_key", "100000 2 2"],
  ["suspicions", "suspicions", "1000 10 1"],
  ["dimensions", "dimensions", "500 5 1"],
  ["tags", "tags", "1000 10 1"],
  ["facets", "facets_by_job_id_facet", "10000 100 8"],
  ["facets", "facets_by_facet_value", "10000 700 3"],
];

/** Gives SQLite the statistics of a usual index, which its own look at the tables would find only once they are full. */
export async function seedPlannerStatistics(db: Kysely<unknown>): Promise<void> {
  // Makes the table of statistics, which cannot be made by name.
  await sql`analyze`.execute(db);
  for (const [table, index, rows] of STATISTICS) {
    await sql`delete from sqlite_stat1 where tbl = ${table} and idx = ${index}`.execute(db);
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${index}, ${rows})`.execute(db);
  }
  await sql`analyze sqlite_schema`.execute(db);
}
