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

/** The page of saved views. */
export interface ViewsPage {
  /** Newest first, at most 100. */
  readonly views: readonly ViewRow[];
  readonly nViews: number;
  /** What cannot be read, and what to do; null when everything can. */
  readonly problem: string | null;
}

/** Each may be an address of thousands of characters. */
const MOST_SHOWN = 100;

/** Everything that the page of saved views shows. */
export async function getViewsPage(): Promise<ViewsPage> {
  await connection();
  const { views, problem } = await listViews();
  const rows = views.slice(0, MOST_SHOWN).map(({ id, name, href, createdAt, createdBy }) => {
    const created = { text: createdAt, epochMs: Date.parse(createdAt), zoned: true };
    return { id, name, href: buildHref(href), created, createdBy };
  });
  return { views: rows, nViews: views.length, problem };
}
