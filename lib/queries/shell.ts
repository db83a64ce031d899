import "server-only";

import { cache } from "react";

import { getAnnotationStore, listAll } from "@/lib/annotations";
import { LOAD_ISSUE_CODES } from "@/lib/domain/load-issue";
import { formatAge } from "@/lib/format/time";

import { getSnapshot } from "./catalog";

/** What the shell shows on every page: counts beside the links, the open folders, the state of the load. */
export const getShell = cache(async () => {
  const snapshot = await getSnapshot();
  const trials = snapshot.jobs.flatMap((job) => job.trials);
  const nProblems = snapshot.issues.filter(({ code }) => LOAD_ISSUE_CODES[code] === "problem").length;
  return {
    nJobs: snapshot.jobs.length,
    nTrials: trials.length,
    nErrors: trials.filter((trial) => trial.exception !== null).length,
    nAnnotations: listAll(getAnnotationStore()).length,
    nProblems,
    nNotes: snapshot.issues.length - nProblems,
    roots: snapshot.roots,
    scannedAge: formatAge(Date.now() - snapshot.scannedAtMs),
  };
});
