import "server-only";

import type { Suspicion } from "@/lib/domain/verifier-check";
import {
  type Disagreement,
  type IndexStore,
  readDisagreements,
  readSiblingDetails,
  readSuspicions,
  type SiblingDetails,
} from "@/lib/store";

import { type DerivedDetailsState, getDerivedDetailsState } from "../shell/derived-details-state";
import type { LocatedTrial } from "./locate";

/** What speaks against the verifier of a trial. */
export interface TrialChecks {
  /** Whether the files that tell were read; until then nothing below says anything. */
  readonly state: DerivedDetailsState;
  /** Null when nothing says that the verifier crashed. */
  readonly suspicion: Suspicion | null;
  /** What other trials of the task left, where the suspicion is that this one left no details. */
  readonly siblings: SiblingDetails | null;
  /** Trials of the same task and output whose rewards differ, this one among them; null when there is none. */
  readonly disagreement: Disagreement | null;
  /** Keys of the attempts beside it that are suspected too. */
  readonly suspects: ReadonlySet<string>;
}

/** Looks up a trial and the attempts beside it. */
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
