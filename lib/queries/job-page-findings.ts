import "server-only";

import type { TrialFindings } from "@/lib/domain/breakdown";
import type { TrialRecord } from "@/lib/domain/trial";
import { readTrialFindings } from "@/lib/loader/detail";
import { evalsKey } from "@/lib/scoring";
import { type IndexStore, type JobHead, readAllTrials } from "@/lib/store";

/** Trials whose files are read at the same time. */
const PARALLEL = 16;

/** Jobs whose findings are kept. */
const MOST_KEPT = 8;

/** What the files of one trial say beyond its rewards. */
export interface FoundTrial {
  readonly key: string;
  readonly taskName: string;
  readonly groupKey: string;
  readonly isFinished: boolean;
  /** Null when the trial has no folder. */
  readonly findings: TrialFindings | null;
}

type Found = Promise<readonly FoundTrial[]>;

/** Findings by store and by id and version of the job, the one that was asked for last at the end. */
const kept = new WeakMap<IndexStore, Map<string, Found>>();

/**
 * What the verifiers' details and analyses of a job say, in directory order.
 *
 * @remarks Reads all trials and a few files of each on the first call for each version of the job.
 */
export function getFindings(store: IndexStore, entry: JobHead): Found {
  const name = `${entry.id} ${entry.version}`;
  const jobs = kept.get(store) ?? new Map<string, Found>();
  kept.set(store, jobs);
  const found = jobs.get(name) ?? readFindings(store, entry);
  jobs.delete(name);
  jobs.set(name, found);
  found.catch(() => jobs.delete(name));
  for (const oldest of jobs.keys()) {
    if (jobs.size <= MOST_KEPT) break;
    jobs.delete(oldest);
  }
  return found;
}

async function readFindings(store: IndexStore, entry: JobHead): Found {
  const trials = await readAllTrials(store, entry.id);
  const found = new Array<FoundTrial>(trials.length);
  const root = findRootPath(entry);
  const queue = trials.entries();
  const work = async () => {
    for (const [index, trial] of queue) {
      found[index] = {
        key: trial.key,
        taskName: trial.taskName,
        groupKey: evalsKey(trial),
        isFinished: trial.state === "finished",
        findings: await readOne(root, trial),
      };
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return found;
}

function readOne(root: string, trial: TrialRecord): Promise<TrialFindings> | null {
  if (trial.folder === "") return null;
  const steps = trial.steps?.map((step) => step.stepName) ?? null;
  return readTrialFindings(`${root}/${trial.folder}`, steps);
}

/** Absolute path of the opened folder that a job lies in; folders of jobs and trials are relative to it. */
export function findRootPath({ job, path }: JobHead): string {
  return job.folder === "" ? path : path.slice(0, -job.folder.length - 1);
}
