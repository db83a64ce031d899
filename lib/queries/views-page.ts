import "server-only";

import type { Route } from "next";
import { connection } from "next/server";

import { formatTime } from "@/lib/format/time";
import { buildHref } from "@/lib/format/href";
import { getViewStore, listViews } from "@/lib/views";

/** One saved view as the page lists it. */
export interface ViewRow {
  readonly id: string;
  readonly name: string;
  readonly href: Route;
  /** UTC, as text. */
  readonly created: string;
  readonly createdBy: string | null;
}

/** Every saved view, newest first. */
export async function getViewsPage(): Promise<readonly ViewRow[]> {
  await connection();
  const year = new Date().getUTCFullYear();
  const views = await listViews(getViewStore());
  return views.map(({ id, name, href, createdAt, createdBy }) => {
    const created = formatTime({ text: createdAt, epochMs: Date.parse(createdAt), zoned: true }, year);
    return { id, name, href: buildHref(href), created, createdBy };
  });
}
