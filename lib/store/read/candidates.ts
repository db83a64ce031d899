import { sql } from "kysely";

import { isOfJobs, type JobScope, orderList, type RowPlace } from "./query";
import { orderTrials, selectTrials, type TrialOrder, type TrialSelection } from "./trial-filter";
import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";

/** A finished trial with what queues of reviews draw it by, and what names it there. */
export interface TrialCandidate
  extends
    RowPlace,
    Pick<
      Stored<"trials">,
      "key" | "uuid" | "runUuid" | "trialName" | "taskName" | "agent" | "model" | "outcome" | "rewardText"
    > {}

/**
 * All finished trials that fit, in the order of `readTrials`, without their records: 100,000 of them are some tens of MB.
 */
export async function readCandidates(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  sort: TrialOrder,
): Promise<readonly TrialCandidate[]> {
  const list = (await selectTrials(store, jobs, selection))
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.uuid", "trials.runUuid"])
    .select(["trials.trialName", "trials.taskName", "trials.agent", "trials.model", "trials.outcome"])
    .select("trials.rewardText")
    .where("trials.state", "=", "finished");
  return orderList(list, orderTrials(sort, jobs, selection)).execute();
}

/** Tasks that the same agent and model solves in some finished trials and not in others; each named by {@link nameAttempts}. */
export async function readFlakyAttempts(store: IndexStore, jobs: JobScope): Promise<ReadonlySet<string>> {
  const passed = sql<number>`case when outcome = 'passed' then 1 else 0 end`;
  const rows = await store.db
    .selectFrom("trials")
    .select(["agent", "model", "taskName"])
    .where("state", "=", "finished")
    .where("outcome", "not in", ["invalid", "missing", "unreadable", "unscored"])
    .where(isOfJobs(store, "jobRowId", jobs))
    .groupBy(["agent", "model", "taskName"])
    .having(sql<number>`max(${passed})`, "=", 1)
    .having(sql<number>`min(${passed})`, "=", 0)
    .execute();
  return new Set(rows.map(nameAttempts));
}

/** One name for an agent, a model and a task. */
export function nameAttempts({
  agent,
  model,
  taskName,
}: Pick<TrialCandidate, "agent" | "model" | "taskName">): string {
  return JSON.stringify([agent, model, taskName]);
}

/** What failed in a trial, as its verifier says: empty where it does not, or where its files are not read yet. */
export interface FailedParts {
  /** Names of failed tests, in the order of the report. */
  readonly tests: readonly string[];
  readonly dimensions: readonly string[];
}

/** Failed tests and dimensions of trials by place, see {@link namePlace}; trials without any are absent. */
export async function readFailedParts(
  store: IndexStore,
  jobs: JobScope,
): Promise<ReadonlyMap<string, FailedParts>> {
  const [tests, dimensions] = await Promise.all([
    store.db
      .selectFrom("trialTests")
      .select(["jobRowId", "position", "failed"])
      .where("nFailed", ">", 0)
      .where(isOfJobs(store, "jobRowId", jobs))
      .execute(),
    store.db
      .selectFrom("trialDimensions")
      .select(["jobRowId", "position", "name"])
      .where("share", "<", 1)
      .where(isOfJobs(store, "jobRowId", jobs))
      .execute(),
  ]);
  const failed = new Map(tests.map((row) => [namePlace(row), decodeValue(row.failed)]));
  const below = Map.groupBy(dimensions, namePlace);
  return new Map(
    [...new Set([...failed.keys(), ...below.keys()])].map((place) => [
      place,
      { tests: failed.get(place) ?? [], dimensions: (below.get(place) ?? []).map(({ name }) => name) },
    ]),
  );
}

export function namePlace({ jobRowId, position }: RowPlace): string {
  return `${jobRowId} ${position}`;
}
