import "server-only";

import type { JobsParams } from "@/lib/addresses/jobs";

import type { JobsPage } from "../jobs/page";
import { getStore } from "../shell/catalog";
import { getJoinPanel, type JoinPanel } from "./join";
import { findSavedSets, listSavedSets, type SavedSet } from "./saved";
import { getSuggestions, type Suggestions } from "./suggestions";

/** What the jobs page says of run sets beside its list. */
export interface JobsRunSets {
  readonly suggestions: Suggestions;
  /** Null while nothing is to be counted together. */
  readonly panel: JoinPanel | null;
  /** The set that was saved or deleted last; null where the address names none. */
  readonly changed:
    | (Pick<SavedSet, "id" | "ref" | "name" | "members" | "rule" | "isDeleted"> & {
        /** Whether it says that the runs are no repeats of one another. */
        readonly isApart: boolean;
      })
    | null;
  /** The newest of what is said to be no repeats, by the names of their jobs. */
  readonly apart: readonly { readonly id: string; readonly jobs: readonly string[] }[];
}

/** What is said to be no repeats, as far as it is listed. */
const MOST_APART = 20;

/** The run sets of a page of jobs: what looks like repeats, the open panel, and what can be undone. */
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
