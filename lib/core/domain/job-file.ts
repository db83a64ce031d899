export const JOB_DOCUMENTS = ["result.json", "config.json", "lock.json", "download_manifest.json"] as const;

const JOB_FILES = [...JOB_DOCUMENTS, "job.log", "analysis.json", "check_report.json"] as const;

/** @param path - relative to the job's folder */
export function isJobFile(path: string): boolean {
  return JOB_FILES.some((name) => name === path);
}
