import "server-only";

import type { Route } from "next";
import { connection } from "next/server";

import type { ClockTime } from "@/lib/domain/clock-time";
import { buildHref } from "@/lib/addresses/href";
import { compareParamsHref } from "@/lib/addresses/compare";
import { listViews } from "@/lib/views";

import { listSavedSets } from "../run-sets/saved";
import { getStore } from "./catalog";

/** One saved view or run set as the page lists it. */
export interface ViewRow {
  readonly id: string;
  readonly name: string;
  readonly href: Route;
  /** What stands beside the name: the address of a view, the jobs of a run set. */
  readonly detail: string;
  readonly created: ClockTime;
  readonly createdBy: string | null;
}

/** Each may be an address of thousands of characters. */
const MOST_SHOWN = 100;

/** The newest 100 saved views, how many there are, and what cannot be read; null when everything can. */
export async function getViewsPage() {
  await connection();
  const { views, problem } = await listViews();
  const rows = views.slice(0, MOST_SHOWN).map(({ id, name, href, createdAt, createdBy }): ViewRow => {
    const created = { text: createdAt, epochMs: Date.parse(createdAt), zoned: true };
    return { id, name, href: buildHref(href), detail: href, created, createdBy };
  });
  return { views: rows, nViews: views.length, problem };
}

/** Every saved run set, newest first, as {@link getViewsPage} lists views. */
export async function getRunSetsPage() {
  const { sets, problem } = await listSavedSets(await getStore());
  const rows = sets.map(({ id, ref, name, members, createdAt, createdBy }): ViewRow => {
    const created = { text: createdAt, epochMs: Date.parse(createdAt), zoned: true };
    const jobs = members.map((member) =>
      member.ref === null
        ? `${member.name} (not here)`
        : member.isNew
          ? `${member.name} (by its rule)`
          : member.name,
    );
    return {
      id,
      name,
      href: compareParamsHref({ refs: [ref] }),
      detail: jobs.join(", "),
      created,
      createdBy,
    };
  });
  return { sets: rows, problem };
}
