import "server-only";

import type { Route } from "next";
import { connection } from "next/server";

import type { ClockTime } from "@/lib/domain/clock-time";
import { buildHref } from "@/lib/addresses/href";
import { listViews } from "@/lib/views";

/** One saved view as the page lists it. */
export interface ViewRow {
  readonly id: string;
  readonly name: string;
  readonly href: Route;
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
    return { id, name, href: buildHref(href), created, createdBy };
  });
  return { views: rows, nViews: views.length, problem };
}
