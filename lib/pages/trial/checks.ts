import "server-only";
import type { Suspicion } from "@/lib/core/domain/verifier-check";
import {
  type Disagreement,
  type IndexStore,
  readDisagreements,
  readSiblingDetails,
  readSuspicions,
  type SiblingDetails,
} from "@/lib/store/tables";

import { type DerivedDetailsState, getDerivedDetailsState } from "../shell/derived-details-state";
import type { LocatedTrial } from "./locate";

export interface TrialChecks {
  /** Until the files are read, the fields below mean nothing. */
  readonly state: DerivedDetailsState;
  readonly suspicion: Suspicion | null;
  /** Details of other trials of the task, if this one is suspected because it has none. */
  readonly siblings: SiblingDetails | null;
  /** Trials of the same task and output with different rewards, including this one. */
  readonly disagreement: Disagreement | null;
  readonly suspects: ReadonlySet<string>;
}

export async function readTrialChecks(
  store: IndexStore,
  { job, trial, row }: LocatedTrial,
  attempts: readonly { readonly key: string }[],
): Promise<TrialChecks> {
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
    siblings,
    disagreement: disagreement ?? null,
    suspects: new Set(suspicions.keys()),
  };
}
