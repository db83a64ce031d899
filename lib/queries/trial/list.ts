import "server-only";

import type { JobParams } from "@/lib/addresses/job";
import { readTrialsList } from "@/lib/addresses/trials-list";
import { JOB_PAGE_ROWS } from "@/lib/domain/job-filter";
import { type IndexStore, readHeads, type TrialMark, type TrialSpot } from "@/lib/store";

import { getTrialSpot } from "../job/trials";
import type { LocatedTrial } from "./locate";

/** A trial beside another one in a list, with the key of its job. */
export interface ListedTrial extends TrialMark {
  readonly jobKey: string;
}

/** The list that a trial's page was opened from, and where the trial stands in it. */
export interface TrialInList extends Omit<TrialSpot, "previous" | "next"> {
  readonly params: JobParams;
  readonly previous: ListedTrial | null;
  readonly next: ListedTrial | null;
  /** Page of the list that holds the trial, or would, from 1. */
  readonly page: number;
}

/**
 * Finds a trial in the list that the address of its page names, with the filter and order of that list.
 * Null without a list, or when the trial is gone from the index meanwhile.
 *
 * @param all - the store that lists of all jobs are read from
 */
export async function readTrialInList(
  store: IndexStore,
  { job, row }: Pick<LocatedTrial, "job" | "row">,
  list: string | null,
  all = store,
): Promise<TrialInList | null> {
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
    page: Math.floor(spot.nBefore / JOB_PAGE_ROWS) + 1,
  };
}
