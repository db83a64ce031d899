import type { JobScope } from "./query";
import { selectTrials, type TrialSelection } from "./trial-filter";
import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";

/** A trial of a list that others are drawn from. */
export type PopulationTrial = Pick<
  Stored<"trials">,
  "jobRowId" | "key" | "family" | "groupKey" | "setupKey" | "agent" | "model" | "outcome"
>;

/** All finished trials that fit, in no order and with little of each, since they may be all trials there are. */
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
