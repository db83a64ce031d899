import "server-only";

import { getAnnotationStore } from "@/lib/annotations";
import type { JobsParams } from "@/lib/addresses/jobs";
import { type ExportedGroup, JOB_TABLE } from "@/lib/export";
import { type IndexStore, listJobIds, readHeads, readRootLabel } from "@/lib/store";

import { getIndex } from "../shell/catalog";
import type { Download } from "../shell/download";
import { type JobsItem, type JobsPageSources, JOBS_PAGE_SIZE, prepareItems, prepareJobsQuery } from "./page";

/** What the rows of the jobs list are read from. */
export type JobsDownloadSources = Pick<JobsPageSources, "store" | "annotations" | "status">;

/** The jobs that fit a filter, in its order, one evals group a row. */
export async function getJobsDownload(filter: JobsParams): Promise<Download<ExportedGroup>> {
  const { store, status } = await getIndex();
  return readJobsDownload(filter, { store, status: status(), annotations: getAnnotationStore() });
}

/** {@link getJobsDownload} of given sources. */
function readJobsDownload(filter: JobsParams, sources: JobsDownloadSources): Download<ExportedGroup> {
  return {
    name: "jobs",
    table: JOB_TABLE,
    rows: readRows(filter, sources),
    generation: sources.status.generation,
  };
}

async function* readRows(
  filter: JobsParams,
  sources: JobsDownloadSources,
): AsyncGenerator<ExportedGroup, void> {
  const labels = new Map<number, string | null>();
  const { selection, sort } = prepareJobsQuery(filter);
  const ids = await listJobIds(sources.store, selection, sort);
  for (let start = 0; start < ids.length; start += JOBS_PAGE_SIZE) {
    const entries = await readHeads(sources.store, ids.slice(start, start + JOBS_PAGE_SIZE));
    // Files name no colours.
    for (const item of await prepareItems(entries, filter, { ...sources, identityOf: () => 0 })) {
      const { root } = item.entry.job;
      if (!labels.has(root)) labels.set(root, await readLabel(sources.store, root));
      yield* toRows(item, labels.get(root) ?? null);
    }
  }
}

async function readLabel(store: IndexStore, position: number): Promise<string | null> {
  const label = await readRootLabel(store, position);
  return label === "" ? null : label;
}

function toRows({ entry, groups }: JobsItem, root: string | null): readonly ExportedGroup[] {
  const job = { entry, root };
  if (groups.length === 0) return [{ ...job, group: null, reviews: null }];
  return groups.map((group) => ({ ...job, group, reviews: group.reviews }));
}
