import "server-only";

import type { JobRecord } from "@/lib/domain/job";
import { type IndexStore, readEndedTrials } from "@/lib/store";
import { findTroubles, type Trouble } from "@/lib/triage/troubles";

import { nameAgent } from "../errors/scope";

/** What goes wrong now in a job that runs; nothing of one that does not, since its whole is on the triage page. */
export async function getJobTroubles(
  store: IndexStore,
  job: { readonly rowId: number } & Pick<JobRecord, "state">,
): Promise<readonly (Trouble & { readonly agent: string })[]> {
  if (job.state !== "running") return [];
  const trials = await readEndedTrials(store, job.rowId);
  const agents = new Map(trials.map((trial) => [nameAgent(trial), trial.agent]));
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
    agent: agents.get(trouble.agentModel) ?? trouble.agentModel,
  }));
}
