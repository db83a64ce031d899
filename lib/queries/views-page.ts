import "server-only";

import type { Route } from "next";
import { connection } from "next/server";

import type { ClockTime } from "@/lib/domain/clock-time";
import { buildHref } from "@/lib/format/href";
import { getViewStore, listViews } from "@/lib/views";

/** One saved view as the page lists it. */
export interface ViewRow {
  readonly id: string;
  readonly name: string;
  readonly href: Route;
  readonly created: ClockTime;
  readonly createdBy: string | null;
}

/** Every saved view, newest first. */
export async function getViewsPage(): Promise<readonly ViewRow[]> {
  await connection();
  const views = await listViews(getViewStore());
  return views.map(({ id, name, href, createdAt, createdBy }) => {
    const created = { text: createdAt, epochMs: Date.parse(createdAt), zoned: true };
    return { id, name, href: buildHref(href), created, createdBy };
  });
}
