import "server-only";
import type { JobsParams } from "@/lib/pages/jobs/address";

import type { JobsPage } from "../jobs/page";
import { getStore } from "../shell/catalog";
import { getJoinPanel } from "./join";
import { findSavedSets, listSavedSets } from "./saved";
import { getSuggestions } from "./suggestions";

export type JobsRunSets = Awaited<ReturnType<typeof getJobsRunSets>>;

const MOST_APART = 20;

export async function getJobsRunSets(
  { join, rule, changed }: Pick<JobsParams, "join" | "rule" | "changed">,
  { items }: Pick<JobsPage, "items">,
) {
  const store = await getStore();
  const { sets, apart } = await listSavedSets(store);
  const [suggestions, panel, found] = await Promise.all([
    getSuggestions(
      items.map(({ job }) => job.rowId),
      { sets, apart },
      rule ?? "numbers",
    ),
    join.length === 0 ? null : getJoinPanel(join, rule ?? "numbers"),
    changed === null ? null : findSavedSets(store, [changed]),
  ]);
  const set = found?.get(changed ?? "");
  const said = apart.find(({ id }) => id === changed) ?? null;
  return {
    suggestions,
    panel,
    /** `isApart`: it records that the runs are not repeats of one another. */
    changed: set === undefined ? said && { ...said, isApart: true } : { ...set, isApart: false },
    /** The newest records that runs are not repeats, by job names. */
    apart: apart
      .filter(({ isDeleted }) => !isDeleted)
      .slice(0, MOST_APART)
      .map(({ id, members }) => ({ id, jobs: members.map(({ name }) => name) })),
  };
}
