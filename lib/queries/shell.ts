import "server-only";

import { cache } from "react";

import { countAnnotations } from "@/lib/annotations";
import type { CatalogSnapshot } from "@/lib/domain/catalog";
import { LOAD_ISSUE_CODES } from "@/lib/domain/load-issue";
import { formatAge } from "@/lib/format/time";

import { getSnapshot } from "./catalog";

/** Counts over a version of the disk, made once for all requests that see it. */
const counts = new WeakMap<CatalogSnapshot, { nTrials: number; nErrors: number; nProblems: number }>();

function countSnapshot(snapshot: CatalogSnapshot) {
  const known = counts.get(snapshot);
  if (known) return known;
  const trials = snapshot.jobs.flatMap((job) => job.trials);
  const count = {
    nTrials: trials.length,
    nErrors: trials.filter((trial) => trial.exception !== null).length,
    nProblems: snapshot.issues.filter(({ code }) => LOAD_ISSUE_CODES[code] === "problem").length,
  };
  counts.set(snapshot, count);
  return count;
}

/** What the shell shows on every page: counts beside the links, the open folders, the state of the load. */
export const getShell = cache(async () => {
  const snapshot = await getSnapshot();
  const { nTrials, nErrors, nProblems } = countSnapshot(snapshot);
  return {
    nJobs: snapshot.jobs.length,
    nTrials,
    nErrors,
    nAnnotations: await countAnnotations(),
    nProblems,
    nNotes: snapshot.issues.length - nProblems,
    roots: snapshot.roots,
    scannedAge: formatAge(Date.now() - snapshot.scannedAtMs),
  };
});
