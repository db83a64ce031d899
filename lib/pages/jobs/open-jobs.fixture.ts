import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type JobsParams, parseJobsParams } from "@/lib/pages/jobs/address";
import { openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";
import { openIndex } from "@/lib/store/indexer";
import { type IndexStore, type JobHead, readCatalogFacets, readTotals, readHeads } from "@/lib/store/tables";

import { type JobsPage, readJobsPage } from "./page";

const ALL = parseJobsParams({ by: "none" });

/** The index of a folder, and the page it gives for a filter. */
export async function openForAll(folder: string, now: () => number = Date.now) {
  const data = mkdtempSync(join(tmpdir(), "assay-data-"));
  const index = await openIndex({ roots: [folder], environment: { ASSAY_DATA: data }, now });
  const annotations = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: data }));
  const close = async () => {
    await index.close();
    await annotations.close();
    rmSync(data, { recursive: true, force: true });
  };
  const { store } = index;
  const read = async (change: Partial<JobsParams> = {}): Promise<JobsPage> =>
    readJobsPage(
      { ...ALL, ...change },
      {
        store,
        annotations,
        status: index.status(),
        totals: await readTotals(store),
        facets: await readCatalogFacets(store),
        identityOf: () => 1,
      },
    );
  return { index, store, annotations, read, close };
}

export const listNames = (page: JobsPage) => page.items.map(({ job }) => job.name);

export async function readAllHeads({ store }: { readonly store: IndexStore }): Promise<readonly JobHead[]> {
  const rows = await store.db.selectFrom("jobs").select("id").execute();
  return readHeads(
    store,
    rows.map(({ id }) => id),
  );
}
