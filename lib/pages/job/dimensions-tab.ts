import "server-only";
import type { DimensionsParams } from "@/lib/pages/job/address";
import type { IndexStore, JobHead } from "@/lib/store/tables";

import { listDatasets } from "../datasets/list";
import { getCached, getIdentityOf } from "../shell/catalog";
import { type DerivedDetailsState, getDerivedDetailsState } from "../shell/derived-details-state";
import { getDimensionOverview } from "./dimension-overview";
import { type DimensionSet, readDimensionSides } from "./dimension-sides";
import { readDimensionsBeside } from "./dimensions-beside";

export type DimensionsTab = Awaited<ReturnType<typeof getDimensionsTab>>;

export async function getDimensionsTab(
  store: IndexStore,
  job: JobHead,
  params: Pick<DimensionsParams, "groups" | "beside" | "pooled">,
) {
  const [datasets, identityOf] = await Promise.all([getCached("datasets", listDatasets), getIdentityOf()]);
  const sides = await readDimensionSides({ store, datasets, identityOf }, job, params);
  const { pooled, other, poolChoices, besideChoices } = sides;
  const set = pooled === "unknown" ? null : pooled;
  const overview = await getDimensionOverview(store, job, params, set);
  const found = { poolChoices, besideChoices, overview, pooled, poolState: await readState(listJobs(set)) };
  if (other === null || other === "unknown") return { ...found, otherSet: null, beside: other };
  const otherSet = "runs" in other ? other : null;
  const state = await readState("runs" in other ? listJobs(other) : [other]);
  const request = { job, pooled: set, other, groups: params.groups, state };
  return { ...found, otherSet, beside: await readDimensionsBeside(store, request, datasets) };
}

function listJobs(set: DimensionSet | null): readonly JobHead[] {
  return set?.runs.map(({ job }) => job) ?? [];
}

async function readState(jobs: readonly JobHead[]): Promise<DerivedDetailsState> {
  const states = await Promise.all(jobs.map(getDerivedDetailsState));
  return states.includes("reading") ? "reading" : "complete";
}
