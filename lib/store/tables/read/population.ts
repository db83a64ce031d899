import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";
import type { JobScope } from "./query";
import { selectTrials, type TrialSelection } from "./trial-filter";

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
