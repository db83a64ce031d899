import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import { readCatalog } from "@/lib/read/catalog";
import { type OpenIndex, openIndex } from "@/lib/store/indexer/open-index";

import { writeSampleJobs } from "./generate";

let folder: string | null = null;
let snapshot: CatalogSnapshot | null = null;
let index: Promise<OpenIndex> | null = null;

/**
 * A folder with the sample jobs of seed 1, written once for all test files that share this process; tests must not write there. It goes with
 * the run's temporary folder.
 */
export function getSampleFolder(): string {
  if (folder !== null) return folder;
  const made = join(mkdtempSync(join(tmpdir(), "samples-")), "jobs");
  writeSampleJobs(made, { seed: 1 });
  return (folder = made);
}

/** Data of {@link getSampleFolder} read without an index; read once for all test files that share this process. */
export function readSamples(): CatalogSnapshot {
  return (snapshot ??= readCatalog({ roots: [getSampleFolder()], summation: "cpython-3.12" }));
}

/** An index of {@link getSampleFolder} in SQLite without derived details, for tests that only read it; never closed. */
export function openSamples(): Promise<OpenIndex> {
  return (index ??= (async () => {
    const environment = { ASSAY_DATA: join(mkdtempSync(join(tmpdir(), "samples-data-")), "data") };
    const opened = await openIndex({ roots: [getSampleFolder()], environment, withDerivedDetails: false });
    await opened.refresh();
    return opened;
  })());
}
