import { hashJobs, hashResults } from "@/lib/read/loader";

export { hashResults };

export async function readJobHashes(
  rootPath: string,
  folders: readonly string[],
): Promise<ReturnType<typeof hashJobs>> {
  return Promise.resolve(hashJobs(rootPath, folders));
}
