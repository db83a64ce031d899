import type { KeptAttempts } from "@/lib/domain/lost-part";
import { sumKnown } from "@/lib/domain/lost-work";

import { ATTEMPT_NAME, RETRIES_FOLDER } from "../detail/read-earlier-attempts";
import { joinFolder } from "../discover/load-root";
import { listFolder } from "../file-access";
import { readTrial, type TrialContext } from "./read-trial";

/** Attempts whose results are read; a job has a few. */
const MOST_READ = 1_000;

/**
 * Counts the earlier attempts that a job's folder holds below `_retries`, where it was downloaded from Harbor's Hub, and what their
 * results state of their cost: of the first 1,000, so that more of them leave the cost of some unknown.
 */
export function readKeptAttempts(context: TrialContext, folder: string): KeptAttempts {
  const attempts = listFolders(context, joinFolder(folder, RETRIES_FOLDER)).flatMap((trial) =>
    listFolders(context, trial).filter((attempt) => ATTEMPT_NAME.test(attempt.slice(trial.length + 1))),
  );
  const read = attempts.slice(0, MOST_READ).map((attempt) => readTrial(context, attempt).record);
  return { n: attempts.length, ...sumKnown(read) };
}

/** Folders in a folder; none where there is no such folder. Links are none. */
function listFolders({ root }: TrialContext, folder: string): readonly string[] {
  const listing = listFolder(root, folder);
  return "code" in listing ? [] : listing.folders.map((name) => joinFolder(folder, name));
}
