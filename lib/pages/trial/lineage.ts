import "server-only";
import { classifyFlip } from "@/lib/core/domain/lineage";
import { type IndexStore, readRegradedTrials, readRegradesOf } from "@/lib/store/tables";

import type { LocatedTrial } from "./locate";

export async function readTrialLineage(store: IndexStore, { job, row }: Pick<LocatedTrial, "job" | "row">) {
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
