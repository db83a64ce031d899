import type { DatasetTrial } from "@/lib/store/tables";

import { listCounted, nameAgent } from "./counted";
import type { TaskPage } from "./page";

export type PassedAndFailed = NonNullable<ReturnType<typeof findPassedAndFailed>>;

/** Prefers attempts of one run, then the newest, and a failing verdict over an error. */
export function findPassedAndFailed(page: Pick<TaskPage, "trials" | "version">) {
  const counted = listCounted(page);
  for (const isFailed of [hasFailingVerdict, isNotPassed])
    for (const nameOwn of [nameRun, nameAgent])
      for (const own of Map.groupBy(counted, nameOwn).values()) {
        const passed = own.find((trial) => !isNotPassed(trial));
        const failed = own.find((trial) => isFailed(trial));
        if (passed !== undefined && failed !== undefined) return { passed, failed };
      }
  return null;
}

function isNotPassed({ outcome }: DatasetTrial): boolean {
  return outcome !== "passed";
}

function hasFailingVerdict({ outcome }: DatasetTrial): boolean {
  return outcome === "failed" || outcome === "partial";
}

function nameRun(trial: DatasetTrial): string {
  return `${trial.jobRowId} ${trial.groupKey} ${nameAgent(trial)}`;
}
