import { sql } from "kysely";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";
import { isOfJobs, type JobScope, orderList, type RowPlace } from "./query";
import { orderTrials, selectTrials, type TrialOrder, type TrialSelection } from "./trial-filter";

export type TrialCandidate = Awaited<ReturnType<typeof readCandidates>>[number];

/** Keeps the order of `readTrials` and leaves out records: 100,000 candidates take some tens of MB. */
export async function readCandidates(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
  sort: TrialOrder,
) {
  const list = (await selectTrials(store, jobs, selection))
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.uuid", "trials.runUuid"])
    .select(["trials.trialName", "trials.taskName", "trials.agent", "trials.model", "trials.outcome"])
    .select("trials.rewardText")
    .where("trials.state", "=", "finished");
  return orderList(list, orderTrials(sort, jobs, selection)).execute();
}

export type PopulationTrial = Pick<
  Stored<"trials">,
  "jobRowId" | "key" | "family" | "groupKey" | "setupKey" | "agent" | "model" | "outcome"
>;

export async function readPopulation(
  store: IndexStore,
  jobs: JobScope,
  selection: TrialSelection,
): Promise<readonly PopulationTrial[]> {
  return (await selectTrials(store, jobs, selection))
    .select(["trials.jobRowId", "trials.key", "trials.family", "trials.groupKey", "trials.setupKey"])
    .select(["trials.agent", "trials.model", "trials.outcome"])
    .where("trials.state", "=", "finished")
    .execute();
}

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

export function nameAttempts({
  agent,
  model,
  taskName,
}: Pick<TrialCandidate, "agent" | "model" | "taskName">): string {
  return JSON.stringify([agent, model, taskName]);
}

/** Both lists are empty if the verifier names none or its files are not read yet. */
interface FailedParts {
  readonly tests: readonly string[];
  readonly dimensions: readonly string[];
}

/** Keys are those of {@link namePlace}; trials without failed parts are absent. */
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
