import "server-only";

import { getAnnotationStore } from "@/lib/annotations";
import type { JobsParams } from "@/lib/addresses/jobs";
import { FIRST_PAGE } from "@/lib/domain/page-place";
import { type ExportedGroup, JOB_TABLE } from "@/lib/export";
import { type IndexStore, readRootLabel } from "@/lib/store";

import { getIndex } from "../shell/catalog";
import type { Download } from "../shell/download";
import { type JobsItem, type JobsPageSources, readJobsPage } from "./page";

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

/** What only the page around the list needs. */
const NO_FRAME: Pick<JobsPageSources, "totals" | "facets" | "identityOf"> = {
  totals: { nJobs: 0, nTrials: 0, nExceptions: 0, nProblems: 0, nNotes: 0 },
  facets: new Map(),
  identityOf: () => 0,
};

async function* readRows(
  filter: JobsParams,
  sources: JobsDownloadSources,
): AsyncGenerator<ExportedGroup, void> {
  const labels = new Map<number, string | null>();
  let place: JobsParams["place"] | null = FIRST_PAGE;
  while (place !== null) {
    const page = await readJobsPage({ ...filter, place }, { ...sources, ...NO_FRAME });
    for (const item of page.items) {
      const { root } = item.entry.job;
      if (!labels.has(root)) labels.set(root, await readLabel(sources.store, root));
      yield* toRows(item, labels.get(root) ?? null);
    }
    place = page.after === null ? null : { kind: "after", cursor: page.after };
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
