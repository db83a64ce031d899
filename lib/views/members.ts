import type { z } from "zod";

import type { RUN_SET_MEMBERS } from "./view-schema";

/** One run of a saved set: a job by its own id, else by the key and name that it had, and the group in it. */
export type RunSetMember = z.infer<typeof RUN_SET_MEMBERS>[number];

/**
 * The job of a run of a saved set: by its id, of several copies the one with the same key or name; by its key where it has no
 * id. Null for one that is not among them: a job of another id under the same key is another run.
 */
export function findMemberJob<
  Job extends { readonly uuid: string | null; readonly key: string; readonly name: string },
>({ job, jobKey, jobName }: RunSetMember, jobs: readonly Job[]): Job | null {
  const same = jobs.filter(({ uuid, key }) => (job === null ? key === jobKey : uuid === job));
  return (
    same.find(({ key }) => key === jobKey) ?? same.find(({ name }) => name === jobName) ?? same[0] ?? null
  );
}
