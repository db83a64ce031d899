import "server-only";
import { type IndexStore, readDisagreements, readSiblingDetails, readSuspicions } from "@/lib/store/tables";

import { getDerivedDetailsState } from "../shell/derived-details-state";
import type { LocatedTrial } from "./locate";

/** Until the files are read (`state`), the rest means nothing. */
export async function readTrialChecks(
  store: IndexStore,
  { job, trial, row }: LocatedTrial,
  attempts: readonly { readonly key: string }[],
) {
  const [state, suspicions, [disagreement]] = await Promise.all([
    getDerivedDetailsState(job),
    readSuspicions(store, job.rowId, [trial.key, ...attempts.map(({ key }) => key)]),
    readDisagreements(store, job.rowId, 1, row.position),
  ]);
  const suspicion = suspicions.get(trial.key) ?? null;
  const { position } = row;
  const { taskName, taskDigest } = trial;
  const siblings =
    suspicion?.lacksDetails === true
      ? await readSiblingDetails(store, job.rowId, { position, taskName, taskDigest })
      : null;
  return {
    state,
    suspicion,
    /** Details of other trials of the task, if this one is suspected because it has none. */
    siblings,
    /** Trials of the same task and output with different rewards, including this one. */
    disagreement: disagreement ?? null,
    suspects: new Set(suspicions.keys()),
  };
}
