import "server-only";

import type { TrialFindings } from "@/lib/domain/breakdown";
import type { JobEntry } from "@/lib/domain/catalog";
import type { TrialRecord } from "@/lib/domain/trial";
import { readTrialFindings } from "@/lib/loader/detail";

import { getSnapshot } from "./catalog";

/** Trials whose files are read at the same time. */
const PARALLEL = 16;

const known = new WeakMap<JobEntry, Promise<ReadonlyMap<string, TrialFindings>>>();

/**
 * What the verifiers' details and analyses of a job say, by trial key; trials without a folder are absent.
 *
 * @remarks Reads a few files a trial on the first call for each version of the job.
 */
export async function getFindings(entry: JobEntry): Promise<ReadonlyMap<string, TrialFindings>> {
  const { roots } = await getSnapshot();
  const root = roots[entry.job.root]?.path;
  if (root === undefined) return new Map();
  const pending = known.get(entry) ?? readAll(root, entry.trials);
  known.set(entry, pending);
  return pending;
}

async function readAll(
  root: string,
  trials: readonly TrialRecord[],
): Promise<ReadonlyMap<string, TrialFindings>> {
  const findings = new Map<string, TrialFindings>();
  const queue = trials.filter((trial) => trial.folder !== "").values();
  const work = async () => {
    for (const trial of queue) {
      const steps = trial.steps?.map((step) => step.stepName) ?? null;
      findings.set(trial.key, await readTrialFindings(`${root}/${trial.folder}`, steps));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return findings;
}
