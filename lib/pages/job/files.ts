import "server-only";
import { NotFoundError } from "@/lib/core/domain/app-error";
import { isJobFile, JOB_DOCUMENTS } from "@/lib/core/domain/job";
import type { Parsed } from "@/lib/core/domain/load-issue";
import { listPresentFiles, openRawFile, type RangeRequest, type RawFile } from "@/lib/read/loader/detail";
import { isJobCut, type IndexStore, type JobHead, readHead } from "@/lib/store/tables";

import { getStoreOfJob } from "../shell/catalog";
import { locateFolder } from "../trial/locate";

/** Opens one of the files that `isJobFile` accepts. @throws NotFoundError when no such job is open */
export async function openJobFile(
  jobKey: string,
  file: string,
  asked: RangeRequest,
): Promise<Parsed<RawFile>> {
  const job = await readHead(await getStoreOfJob(jobKey), jobKey);
  if (job === null) throw new NotFoundError("This job is not in the open folders.");
  const folder = locateJob(job);
  if (folder !== null && job.kind === "harbor" && isJobFile(file))
    return await openRawFile(folder, file, asked);
  const detail = "It is not one of the job's own files.";
  return { ok: false, issue: { code: "file_unreadable", path: file, detail } };
}

export async function listCutJobFiles(store: IndexStore, job: JobHead): Promise<readonly string[]> {
  if (job.kind !== "harbor" || !(await isJobCut(store, job.rowId))) return [];
  const folder = locateJob(job);
  return folder === null ? [] : listPresentFiles(folder, JOB_DOCUMENTS);
}

/** Returns the real path of a job's folder; null if it became a link out of its root. */
function locateJob(job: JobHead): string | null {
  return job.folder === "" ? job.path : locateFolder(job, job);
}
