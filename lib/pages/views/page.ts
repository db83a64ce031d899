import "server-only";
import type { Route } from "next";
import { connection } from "next/server";

import { readInstant } from "@/lib/core/domain/clock-time";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { buildHref } from "@/lib/pages/address/href";
import { compareParamsHref } from "@/lib/pages/compare/address";
import { listViews, type SavedView } from "@/lib/people/views";

import { listSavedSets } from "../run-sets/saved";
import { getStore } from "../shell/catalog";

const MENU_VIEWS = 20;

export type ViewRow = ReturnType<typeof toRow>;

function toRow(
  { id, name, createdAt, createdBy }: Pick<SavedView, "id" | "name" | "createdAt" | "createdBy">,
  href: Route,
  detail: string,
) {
  return { id, name, href, detail, created: readInstant(createdAt), createdBy };
}

export async function getViewsPage() {
  await connection();
  const { views, problem } = await listViews();
  const rows = views.slice(0, LIST_ROWS).map((view) => toRow(view, buildHref(view.href), view.href));
  return { views: rows, nViews: views.length, problem };
}

export type ListView = Awaited<ReturnType<typeof getViewsOfList>>[number];

/** Returns the newest saved views of the list at a path. None if they cannot be read, which the page's frame reports. */
export async function getViewsOfList(path: string) {
  await connection();
  const { views } = await listViews();
  return views
    .filter(({ href }) => href === path || href.startsWith(`${path}?`))
    .slice(0, MENU_VIEWS)
    .map(({ name, href }) => ({ name, href: buildHref(href) }));
}

export async function getRunSetsPage() {
  const { sets, problem } = await listSavedSets(await getStore());
  const rows = sets.map((set) => {
    const jobs = set.members.map(({ name, ref, isNew }) => {
      if (ref === null) return `${name} (not open)`;
      return isNew ? `${name} (by its rule)` : name;
    });
    return toRow(set, compareParamsHref({ refs: [set.ref] }), jobs.join(", "));
  });
  return { sets: rows, problem };
}
