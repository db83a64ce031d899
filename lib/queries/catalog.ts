import "server-only";

import { connection } from "next/server";
import { cache } from "react";

import { type Catalog, openCatalog } from "@/lib/catalog";
import { assignIdentities, nameContender } from "@/lib/charts/identity";
import type { CatalogSnapshot } from "@/lib/domain/catalog";
import { ValidationError } from "@/lib/domain/app-error";
import type { Summation } from "@/lib/scoring";

/** A rescan compares fingerprints only; requests closer together than this share one. */
const RESCAN_PAUSE_MS = 2000;

/** Rescans of large trees take at most one part in this many of the server's time. */
const RESCAN_SHARE = 20;

interface OpenCatalog {
  readonly catalog: Catalog;
  rescanAtMs: number;
}

declare global {
  /** One catalog a process: hot reloads and parallel requests must not open the folders again. */
  var assayCatalog: OpenCatalog | undefined;
}

function readRoots(): readonly string[] {
  const text = process.env["ASSAY_ROOTS"] ?? "[]";
  const roots: unknown = JSON.parse(text);
  if (!Array.isArray(roots) || !roots.every((root) => typeof root === "string")) {
    throw new ValidationError("ASSAY_ROOTS must be a JSON list of folder paths.", {}, { context: { text } });
  }
  return roots;
}

function readSummation(): Summation {
  return process.env["ASSAY_SUMMATION"] === "sequential" ? "sequential" : "cpython-3.12";
}

/**
 * Everything under the opened folders as of now: opens them on first use and looks for changes at most every two seconds,
 * less often where looking takes long. The same object is returned within one request, so that a page cannot mix two
 * states of the disk.
 */
export const getSnapshot = cache(async (): Promise<CatalogSnapshot> => {
  await connection();
  const open = (globalThis.assayCatalog ??= {
    catalog: openCatalog({ roots: [...readRoots()], summation: readSummation() }),
    rescanAtMs: Date.now() + RESCAN_PAUSE_MS,
  });
  const startedAtMs = Date.now();
  if (startedAtMs >= open.rescanAtMs) {
    open.catalog.refresh();
    const endedAtMs = Date.now();
    open.rescanAtMs = endedAtMs + Math.max(RESCAN_PAUSE_MS, RESCAN_SHARE * (endedAtMs - startedAtMs));
  }
  return open.catalog.snapshot();
});

/** Identity (0 to 6) of an agent and model, the same on every page of this set of folders. */
export const getIdentityOf = cache(async (): Promise<(agent: string, model: string | null) => number> => {
  const { jobs } = await getSnapshot();
  const contenders = jobs.toReversed().flatMap((job) => job.report.groups);
  const identities = assignIdentities(contenders);
  return (agent, model) => identities.get(nameContender(agent, model)) ?? 0;
});
