/** Documents at the top of a job's folder that Harbor or its tools write. */
export const JOB_DOCUMENTS = ["result.json", "config.json", "lock.json", "download_manifest.json"] as const;

/** Files at the top of a job's folder that are a job's own: its documents, its log and the reports of what it looked at. */
const JOB_FILES = [...JOB_DOCUMENTS, "job.log", "analysis.json", "check_report.json"] as const;

/** Whether a path, relative to a job's folder, is one of its own files. */
export function isJobFile(path: string): boolean {
  return JOB_FILES.some((name) => name === path);
}
