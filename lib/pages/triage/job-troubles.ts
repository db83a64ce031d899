import "server-only";
import type { JobRecord } from "@/lib/core/domain/job";
import { findTroubles, type Trouble } from "@/lib/core/triage/troubles";
import { type IndexStore, readEndedTrials } from "@/lib/store/tables";

import { nameAgent } from "../errors/scope";

export interface JobTrouble extends Trouble {
  readonly groups: readonly string[];
}

/** Lists current troubles of a running job. Finished jobs have none here, since the triage page covers them. */
export async function getJobTroubles(
  store: IndexStore,
  job: { readonly rowId: number } & Pick<JobRecord, "state">,
): Promise<readonly JobTrouble[]> {
  if (job.state !== "running") return [];
  const trials = await readEndedTrials(store, job.rowId);
  const groups = Map.groupBy(trials, nameAgent);
  // A trial that is not classified yet must not count as passed.
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
