import type { CatalogSnapshot, JobEntry } from "@/lib/domain/catalog";
import type { TrialRecord } from "@/lib/domain/trial";
import { computeShortHash } from "@/lib/loader";

/**
 * The job that `key` stands for, or null.
 *
 * Besides the job's present key this accepts the other form of it, so that a link survives another job of the same name
 * coming or going: `name~hash6` always, the plain name while one job alone has it.
 */
export function findJob(snapshot: CatalogSnapshot, key: string): JobEntry | null {
  const exact = snapshot.jobs.find((entry) => entry.job.key === key);
  if (exact !== undefined) return exact;
  const named = snapshot.jobs.filter((entry) => entry.job.name === key);
  if (named.length === 1) return named[0] ?? null;
  return snapshot.jobs.find((entry) => listHashedKeys(snapshot, entry).includes(key)) ?? null;
}

function listHashedKeys(snapshot: CatalogSnapshot, { job }: JobEntry): string[] {
  const label = snapshot.roots[job.root]?.label ?? "";
  const hashes = [computeShortHash(label, job.folder), computeShortHash(label, job.folder, job.id ?? "")];
  return hashes.map((hash) => `${job.name.replaceAll("/", "_")}~${hash}`);
}

/** The trial of `job` that `key` stands for, by its key, else by its name while one trial alone has it; else null. */
export function findTrial(job: JobEntry, key: string): TrialRecord | null {
  const exact = job.trials.find((trial) => trial.key === key);
  if (exact !== undefined) return exact;
  const named = job.trials.filter((trial) => trial.trialName === key);
  return named.length === 1 ? (named[0] ?? null) : null;
}
