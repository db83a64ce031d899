import "server-only";
import { rangeOfPage } from "@/lib/core/domain/list-page";
import { groupRef } from "@/lib/pages/address/href";
import type { CompareParams } from "@/lib/pages/compare/address";
import {
  countCommonTasks,
  countUnreadJobs,
  type IndexStore,
  type JobHead,
  readGroups,
  readHeads,
} from "@/lib/store/tables";

import { describeMeanBasis } from "../job/mean-basis";
import type { IdentityOf } from "../shell/catalog";
import { findGroups } from "./groups";

export type ComparePicker = Awaited<ReturnType<typeof getComparePicker>>;

/** The groups of one job that the picker lists, and all that it has. */
export type PickerJob = ComparePicker["jobs"][number];

const GROUPS_PER_PAGE = 40;

export async function getComparePicker(
  store: IndexStore,
  { refs, text, pickerPage }: Pick<CompareParams, "refs" | "text" | "pickerPage">,
  identityOf: IdentityOf,
) {
  const { chosen } = await findGroups(store, refs, identityOf);
  const places = chosen.flatMap(({ runs }) =>
    runs.map(({ job, group: { key } }) => ({ jobRowId: job.rowId, key })),
  );
  const words = text.split(/\s+/).filter(Boolean);
  const [page, nUnread] = await Promise.all([
    readGroups(store, { words, except: places }, rangeOfPage(pickerPage, GROUPS_PER_PAGE)),
    countUnreadJobs(store),
  ]);
  const shown = [...places, ...page.rows];
  const [jobs, common] = await Promise.all([
    readHeads(store, [...new Set(shown.map(({ jobRowId }) => jobRowId))]),
    places.length === 0 ? null : countCommonTasks(store, shown, places),
  ]);
  const byId = new Map(jobs.map((job) => [job.rowId, job]));
  const rows = shown.flatMap((one, index) => {
    const job = byId.get(one.jobRowId);
    const summary = job?.groups.find(({ group }) => group.key === one.key);
    if (job === undefined || summary === undefined) return [];
    const { agent, model, key } = summary.group;
    const row = {
      ...summary,
      ref: groupRef(job.key, key),
      identity: identityOf(agent, model),
      basis: describeMeanBasis(summary.interval),
      chosen: index < places.length,
      /** Tasks that it shares with every chosen group; null if none is chosen. */
      nCommon: common?.[index] ?? null,
    };
    return [{ job, row }];
  });
  const { nGroups, nBefore, nMatching, size } = page;
  return {
    chosen: groupByJob(rows.filter(({ row }) => row.chosen)),
    jobs: groupByJob(rows.filter(({ row }) => !row.chosen)),
    nGroups,
    page: { nBefore, nMatching, size },
    nUnread,
    runsOf: new Map(
      chosen.flatMap(({ saved, runs, refs: [own] }) =>
        saved === null || own === undefined ? [] : [[own, runs.map(({ ref }) => ref)] as const],
      ),
    ),
  };
}

function groupByJob<Row>(rows: readonly { readonly job: JobHead; readonly row: Row }[]) {
  return [...Map.groupBy(rows, ({ job }) => job)].map(([job, own]) => ({
    job,
    rows: own.map(({ row }) => row),
    refs: job.groups.map(({ group }) => groupRef(job.key, group.key)),
  }));
}
