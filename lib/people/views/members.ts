import type { z } from "zod";

import type { RUN_SET_MEMBERS } from "./view-schema";

/** A run of a saved set: its job's id, else key and name when saved, and the group. */
export type RunSetMember = z.infer<typeof RUN_SET_MEMBERS>[number];

/**
 * Finds the job of a saved run by id, preferring the copy with the same key or name, or by key if no id was saved. A job with
 * another id under the same key is another run.
 */
export function findMemberJob<
  Job extends { readonly uuid: string | null; readonly key: string; readonly name: string },
>({ job, jobKey, jobName }: RunSetMember, jobs: readonly Job[]): Job | null {
  const same = jobs.filter(({ uuid, key }) => (job === null ? key === jobKey : uuid === job));
  return (
    same.find(({ key }) => key === jobKey) ?? same.find(({ name }) => name === jobName) ?? same[0] ?? null
  );
}
