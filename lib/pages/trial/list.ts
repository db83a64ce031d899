import "server-only";
import { PAGE_ROWS } from "@/lib/core/domain/list-page";
import { readTrialsList } from "@/lib/pages/trials/address";
import { type IndexStore, readHeads, type TrialSpot } from "@/lib/store/tables";

import { getTrialSpot } from "../job/trials";
import type { LocatedTrial } from "./locate";

/** Returns null without a list, or if the trial left the index. `all` is the store for lists of all jobs. */
export async function readTrialInList(
  store: IndexStore,
  { job, row }: Pick<LocatedTrial, "job" | "row">,
  list: string | null,
  all = store,
) {
  const params = list === null ? null : readTrialsList(list);
  if (params === null) return null;
  const spot = await (params.isOfAllJobs
    ? getTrialSpot(all, null, params, row)
    : getTrialSpot(store, job, params, row));
  if (spot === null) return null;
  const ids = [spot.previous, spot.next].flatMap((trial) => trial?.jobRowId ?? []);
  const keys = new Map((await readHeads(store, ids)).map(({ rowId, key }) => [rowId, key]));
  const name = (trial: TrialSpot["previous"]) =>
    trial && { ...trial, jobKey: keys.get(trial.jobRowId) ?? job.key };
  return {
    ...spot,
    previous: name(spot.previous),
    next: name(spot.next),
    params,
    /** Page that holds the trial, or would hold it, from 1. */
    page: Math.floor(spot.nBefore / PAGE_ROWS) + 1,
  };
}
