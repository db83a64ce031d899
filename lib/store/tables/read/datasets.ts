import type { IndexStore } from "../open-store";

export type DatasetGroup = Awaited<ReturnType<typeof readDatasetGroups>>[number];

/**
 * Returns the evals groups of all jobs, newest job first. Skips jobs that only write reports, and groups with figures in a result
 * but no trials, since their tasks are unknown.
 */
export async function readDatasetGroups({ db }: IndexStore) {
  return db
    .selectFrom("groups")
    .innerJoin("jobs", "jobs.id", "groups.jobRowId")
    .where("jobs.purpose", "=", "benchmark")
    .where("groups.nTrials", ">", 0)
    .select(["groups.jobRowId", "groups.key", "groups.source", "groups.agent", "groups.model"])
    .select(["groups.nTrials", "jobs.whenMs"])
    .orderBy("jobs.whenMs", (order) => order.desc().nullsLast())
    .orderBy("jobs.nameSort")
    .orderBy("jobs.id")
    .orderBy("groups.position")
    .execute();
}

export async function readGroupTasks({ db }: IndexStore) {
  return db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .where("jobs.purpose", "=", "benchmark")
    .select(["trials.jobRowId", "trials.groupKey", "trials.taskName"])
    .groupBy(["trials.jobRowId", "trials.taskName", "trials.groupKey"])
    .execute();
}
