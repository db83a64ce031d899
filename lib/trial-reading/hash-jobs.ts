import { hashJobs, hashResults } from "@/lib/loader";

export { hashResults };

/** Reads jobs once more for the hashes of their files, see {@link hashJobs}. */
export async function readJobHashes(
  rootPath: string,
  folders: readonly string[],
): Promise<ReturnType<typeof hashJobs>> {
  return Promise.resolve(hashJobs(rootPath, folders));
}
