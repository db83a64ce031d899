import type { GroupPlace } from "./groups";
import type { IndexStore } from "../open-store";

/** An evals group of a benchmark and what it ran on. */
export interface DatasetGroup extends GroupPlace {
  readonly source: string | null;
  readonly agent: string;
  readonly model: string | null;
  readonly nTrials: number;
  /** Of its job, in milliseconds since 1970; null where no file tells. */
  readonly whenMs: number | null;
}

/**
 * The evals groups of all jobs, newest job first, and those in their order. Left out are jobs that only write reports about others, and
 * groups of which a result states figures and no trial is here: nothing tells what they ran on.
 */
export async function readDatasetGroups({ db }: IndexStore): Promise<readonly DatasetGroup[]> {
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

/** The tasks of every evals group of benchmarks, each once. */
export async function readGroupTasks({ db }: IndexStore) {
  return db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .where("jobs.purpose", "=", "benchmark")
    .select(["trials.jobRowId", "trials.groupKey", "trials.taskName"])
    .groupBy(["trials.jobRowId", "trials.taskName", "trials.groupKey"])
    .execute();
}
