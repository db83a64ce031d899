import "server-only";
import type { ExportFormat } from "@/lib/core/domain/export-format";
import type { ListedGroup } from "@/lib/core/fields/jobs.fields";
import { JOB_TABLE } from "@/lib/output/export";
import { type JobsParams, readJobsRequest } from "@/lib/pages/jobs/address";
import { getAnnotationStore } from "@/lib/people/annotations";
import { type IndexStore, listJobIds, readHeads } from "@/lib/store/tables";

import { readLabel } from "../job/trials-download";
import { nameSetsOfRuns } from "../run-sets/saved";
import { getIndex } from "../shell/catalog";
import { serveDownload } from "../shell/download";
import { type JobsItem, JOBS_PAGE_SIZE, prepareItems, prepareJobsQuery, readGrouping } from "./page";

export function serveJobs(format: ExportFormat, { url }: Request): Promise<Response> {
  return serveDownload({ format, url }, async () => {
    const { store, status } = await getIndex();
    const filter = readJobsRequest(url);
    const { selection, sort } = prepareJobsQuery(filter);
    const order = { ...sort, grouping: readGrouping(filter) };
    const rows = readJobRows(store, await listJobIds(store, selection, order), filter);
    return { name: "jobs", table: JOB_TABLE, rows, generation: status().generation };
  });
}

export async function* readJobRows(
  store: IndexStore,
  ids: readonly number[],
  filter: JobsParams,
): AsyncGenerator<ListedGroup, void> {
  const annotations = getAnnotationStore();
  const labels = new Map<number, string | null>();
  const setsOf = await nameSetsOfRuns(store);
  for (let start = 0; start < ids.length; start += JOBS_PAGE_SIZE) {
    const jobs = await readHeads(store, ids.slice(start, start + JOBS_PAGE_SIZE));
    // Files have no colours.
    for (const item of await prepareItems(jobs, filter, { store, annotations, identityOf: () => 0 })) {
      const { root } = item.job;
      if (!labels.has(root)) labels.set(root, await readLabel(store, item.job));
      yield* toRows(item, labels.get(root) ?? null, setsOf);
    }
  }
}

function toRows(
  { job, groups }: JobsItem,
  root: string | null,
  setsOf: Awaited<ReturnType<typeof nameSetsOfRuns>>,
): readonly ListedGroup[] {
  if (groups.length === 0) return [{ job, root, group: null, reviews: null, runSets: [] }];
  return groups.map((group) => {
    const runSets = setsOf(job.key, group.group.key);
    return { job, root, group, reviews: group.reviews, runSets };
  });
}
