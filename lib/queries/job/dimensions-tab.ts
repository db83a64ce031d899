import "server-only";

import type { JobParams } from "@/lib/addresses/job";
import type { IndexStore, JobHead } from "@/lib/store";

import { listDatasets } from "../datasets/list";
import { getCached, getIdentityOf } from "../shell/catalog";
import { type DerivedDetailsState, getDerivedDetailsState } from "../shell/derived-details-state";
import { type DimensionOverview, getDimensionOverview } from "./dimension-overview";
import { type DimensionSet, type DimensionSides, readDimensionSides } from "./dimension-sides";
import { type DimensionsBeside, readDimensionsBeside } from "./dimensions-beside";

/** The dimensions tab above its families: the overview of the job or of a run set in its place, and another side where one is asked for. */
export interface DimensionsTab extends Pick<DimensionSides, "poolChoices" | "besideChoices"> {
  readonly overview: DimensionOverview;
  readonly pooled: DimensionSides["pooled"];
  /** The run set on the other side; null for a job, and for none. */
  readonly otherSet: DimensionSet | null;
  /** Null where nothing is asked for. */
  readonly beside: DimensionsBeside | "unknown" | null;
  /** Whether the verifiers' files of every run of the set are read; `complete` without one. */
  readonly poolState: DerivedDetailsState;
}

/** What the address of a job's dimensions asks for. */
export async function getDimensionsTab(
  store: IndexStore,
  job: JobHead,
  params: Pick<JobParams, "groups" | "versus" | "beside" | "pooled">,
): Promise<DimensionsTab> {
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
