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
  readonly changed: Pick<SavedSet, "id" | "ref" | "name" | "members" | "isDeleted"> | null;
}

/** The run sets of a page of jobs: what looks like repeats, the open panel, and what can be undone. */
export async function getJobsRunSets(
  { join, rule, changed }: Pick<JobsParams, "join" | "rule" | "changed">,
  { items }: Pick<JobsPage, "items">,
): Promise<JobsRunSets> {
  const store = await getStore();
  const { sets } = await listSavedSets(store);
  const [suggestions, panel, found] = await Promise.all([
    getSuggestions(
      items.map(({ job }) => job.rowId),
      sets,
      rule ?? "numbers",
    ),
    join.length === 0 ? null : getJoinPanel(join),
    changed === null ? null : findSavedSets(store, [changed]),
  ]);
  return { suggestions, panel, changed: found?.get(changed ?? "") ?? null };
}
