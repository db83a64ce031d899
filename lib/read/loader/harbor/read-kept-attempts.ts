import type { KeptAttempts } from "@/lib/core/domain/lost-part";
import { sumKnown } from "@/lib/core/domain/lost-work";

import { ATTEMPT_NAME, RETRIES_FOLDER } from "../detail/read-earlier-attempts";
import { joinFolder } from "../discover/load-root";
import { listFolder } from "../file-access";
import { readTrial, type TrialContext } from "./read-trial";

const MOST_READ = 1_000;

/** Counts attempts below `_retries` and their cost. Reads the first 1,000 results; beyond that, some costs are unknown. */
export function readKeptAttempts(context: TrialContext, folder: string): KeptAttempts {
  const attempts = listFolders(context, joinFolder(folder, RETRIES_FOLDER)).flatMap((trial) =>
    listFolders(context, trial).filter((attempt) => ATTEMPT_NAME.test(attempt.slice(trial.length + 1))),
  );
  const read = attempts.slice(0, MOST_READ).map((attempt) => readTrial(context, attempt).record);
  return { n: attempts.length, ...sumKnown(read) };
}

function listFolders({ root }: TrialContext, folder: string): readonly string[] {
  const listing = listFolder(root, folder);
  return "code" in listing ? [] : listing.folders.map((name) => joinFolder(folder, name));
}
