import "server-only";
import type { JobsParams } from "@/lib/pages/jobs/address";

import type { JobsPage } from "../jobs/page";
import { getStore } from "../shell/catalog";
import { getJoinPanel, type JoinPanel } from "./join";
import { findSavedSets, listSavedSets, type SavedSet } from "./saved";
import { getSuggestions, type Suggestions } from "./suggestions";

export interface JobsRunSets {
  readonly suggestions: Suggestions;
  readonly panel: JoinPanel | null;
  readonly changed:
    | (Pick<SavedSet, "id" | "ref" | "name" | "members" | "rule" | "isDeleted"> & {
        /** True if it records that the runs are not repeats of one another. */
        readonly isApart: boolean;
      })
    | null;
  /** The newest records that runs are not repeats, by job names. */
  readonly apart: readonly { readonly id: string; readonly jobs: readonly string[] }[];
}

const MOST_APART = 20;

export async function getJobsRunSets(
  { join, rule, changed }: Pick<JobsParams, "join" | "rule" | "changed">,
  { items }: Pick<JobsPage, "items">,
): Promise<JobsRunSets> {
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
    changed: set === undefined ? said && { ...said, isApart: true } : { ...set, isApart: false },
    apart: apart
      .filter(({ isDeleted }) => !isDeleted)
      .slice(0, MOST_APART)
      .map(({ id, members }) => ({ id, jobs: members.map(({ name }) => name) })),
  };
}
