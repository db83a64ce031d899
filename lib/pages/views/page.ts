import "server-only";
import type { Route } from "next";
import { connection } from "next/server";

import type { ClockTime } from "@/lib/core/domain/clock-time";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { buildHref } from "@/lib/pages/address/href";
import { compareParamsHref } from "@/lib/pages/compare/address";
import { listViews } from "@/lib/people/views";

import { listSavedSets } from "../run-sets/saved";
import { getStore } from "../shell/catalog";

export interface ViewRow {
  readonly id: string;
  readonly name: string;
  readonly href: Route;
  readonly detail: string;
  readonly created: ClockTime;
  readonly createdBy: string | null;
}

export async function getViewsPage() {
  await connection();
  const { views, problem } = await listViews();
  const rows = views.slice(0, LIST_ROWS).map(({ id, name, href, createdAt, createdBy }): ViewRow => {
    const created = { text: createdAt, epochMs: Date.parse(createdAt), zoned: true };
    return { id, name, href: buildHref(href), detail: href, created, createdBy };
  });
  return { views: rows, nViews: views.length, problem };
}

export async function getRunSetsPage() {
  const { sets, problem } = await listSavedSets(await getStore());
  const rows = sets.map(({ id, ref, name, members, createdAt, createdBy }): ViewRow => {
    const created = { text: createdAt, epochMs: Date.parse(createdAt), zoned: true };
    const jobs = members.map((member) =>
      member.ref === null
        ? `${member.name} (not open)`
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
