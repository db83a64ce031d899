import { sql } from "kysely";

import type { Outcome, TrialState } from "@/lib/domain/trial";

import { isAmong } from "./among";
import type { IndexStore } from "../open-store";

/** A trial with what names it, wherever it was seen, and what became of it. */
export interface TrialPlace {
  /** Id of the `JobHead` it belongs to. */
  readonly jobRowId: number;
  readonly jobKey: string;
  readonly jobName: string;
  readonly key: string;
  readonly id: string | null;
  /** The job that ran it, as it or else its job states it. */
  readonly jobId: string | null;
  readonly trialName: string;
  readonly taskName: string;
  readonly groupKey: string;
  readonly attempt: number;
  readonly state: TrialState;
  readonly outcome: Outcome;
  /** The headline reward as Python writes it; null when there is none. */
  readonly reward: string | null;
}

/** All trials with one of these names, newest job first. */
export async function readTrialPlaces(
  store: IndexStore,
  trialNames: Iterable<string>,
): Promise<readonly TrialPlace[]> {
  const query = selectPlaces(store)
    .where(isAmong(store, "trials.trial_name", trialNames))
    .orderBy(sql`jobs.when_ms desc nulls last`)
    .orderBy("jobs.name_sort")
    .orderBy("jobs.id")
    .orderBy("trials.position");
  return (await query.execute()).map(toPlace);
}

/** Positions from `first` on, ending before `end`; null is the last trial. */
export interface PositionRange {
  readonly first: number;
  readonly end: number | null;
}

/** The first finished trials of a job in a range of positions, in directory order, each with its position. */
export async function readFinishedPlaces(
  store: IndexStore,
  jobRowId: number,
  { first, end }: PositionRange,
  limit: number,
): Promise<readonly (TrialPlace & { readonly position: number })[]> {
  let query = selectPlaces(store)
    .select("trials.position")
    .where("trials.job_id", "=", jobRowId)
    .where("trials.state", "=", "finished")
    .where("trials.position", ">=", first)
    .orderBy("trials.position")
    .limit(limit);
  if (end !== null) query = query.where("trials.position", "<", end);
  return (await query.execute()).map((row) => ({ ...toPlace(row), position: row.position }));
}

function selectPlaces({ db }: IndexStore) {
  return db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.job_id")
    .select(["trials.job_id", "jobs.key as job_key", "jobs.name as job_name", "jobs.uuid as job_uuid"])
    .select(["trials.key", "trials.uuid", "trials.run_uuid", "trials.trial_name", "trials.task_name"])
    .select(["trials.group_key", "trials.attempt", "trials.state", "trials.outcome", "trials.reward_text"]);
}

type PlaceRow = Awaited<ReturnType<ReturnType<typeof selectPlaces>["execute"]>>[number];

function toPlace(row: PlaceRow): TrialPlace {
  return {
    jobRowId: row.job_id,
    jobKey: row.job_key,
    jobName: row.job_name,
    key: row.key,
    id: row.uuid,
    jobId: row.run_uuid ?? row.job_uuid,
    trialName: row.trial_name,
    taskName: row.task_name,
    groupKey: row.group_key,
    attempt: row.attempt,
    // The indexer writes members of the closed list.
    state: row.state as TrialState,
    // The indexer writes members of the closed list.
    outcome: row.outcome as Outcome,
    reward: row.reward_text,
  };
}
