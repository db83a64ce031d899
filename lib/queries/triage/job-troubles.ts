import "server-only";

import type { JobRecord } from "@/lib/domain/job";
import { type IndexStore, readEndedTrials } from "@/lib/store";
import { findTroubles, type Trouble } from "@/lib/triage/troubles";

import { nameAgent } from "../errors/scope";

/** A trouble, and the evals groups of its agent and model in the job. */
export interface JobTrouble extends Trouble {
  readonly groups: readonly string[];
}

/** What goes wrong now in a job that runs; nothing of one that does not, since its whole is on the triage page. */
export async function getJobTroubles(
  store: IndexStore,
  job: { readonly rowId: number } & Pick<JobRecord, "state">,
): Promise<readonly JobTrouble[]> {
  if (job.state !== "running") return [];
  const trials = await readEndedTrials(store, job.rowId);
  const groups = Map.groupBy(trials, nameAgent);
  // One that is not classified yet is not taken for one that passed.
  const known = trials.filter(({ outcome, failureClass }) => outcome === "passed" || failureClass !== null);
  const troubles = findTroubles(
    known.flatMap(({ startedMs, durationMs, failureClass, clusterText, ...trial }) => {
      if (startedMs === null) return [];
      const failure = failureClass === null ? null : { failureClass, text: clusterText };
      return { agentModel: nameAgent(trial), endedMs: startedMs + (durationMs ?? 0), failure };
    }),
  );
  return troubles.map((trouble) => ({
    ...trouble,
    groups: [...new Set(groups.get(trouble.agentModel)?.map(({ groupKey }) => groupKey))],
  }));
}
