import "server-only";
import { classifyFlip, type Flip } from "@/lib/core/domain/lineage";
import {
  type IndexStore,
  type LineageTrial,
  type RegradedTrial,
  readRegradedTrials,
  readRegradesOf,
} from "@/lib/store/tables";

import type { LocatedTrial } from "./locate";

export interface TrialLineage {
  readonly regrade: (RegradedTrial & { readonly flip: Flip }) | null;
  readonly regrades: readonly LineageTrial[];
}

export async function readTrialLineage(
  store: IndexStore,
  { job, row }: Pick<LocatedTrial, "job" | "row">,
): Promise<TrialLineage> {
  const isRegraded = row.trial.sourceTrial !== null;
  const [own, regrades] = await Promise.all([
    isRegraded ? readRegradedTrials(store, job.rowId, row.position) : [],
    readRegradesOf(store, job.rowId, row.position),
  ]);
  const [regrade] = own;
  return {
    regrade: regrade === undefined ? null : { ...regrade, flip: classifyFlip(regrade.source, regrade) },
    regrades,
  };
}
