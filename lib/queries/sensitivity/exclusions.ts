import "server-only";

import type { SensitivityTrial } from "@/lib/stats";
import { type IndexStore, readTrialClasses } from "@/lib/store";
import type { FailureClass } from "@/lib/triage/classes";
import { EXCLUDED_CLASSES, exclusionOf } from "@/lib/triage/exclusions";

/** What leaves out a trial of a class of the index, where null is that of a trial not classified yet. */
export function readExclusion(failureClass: FailureClass | null): SensitivityTrial["exclusion"] {
  return failureClass === null ? "unknown" : exclusionOf(failureClass);
}

/** What leaves the finished trials of an evals group out of readings of their score, by their keys; absent for those that nothing does. */
export async function readExclusions(
  store: IndexStore,
  group: Parameters<typeof readTrialClasses>[1],
): Promise<ReadonlyMap<string, SensitivityTrial["exclusion"]>> {
  const classes = await readTrialClasses(store, group, EXCLUDED_CLASSES);
  return new Map(Array.from(classes, ([key, failureClass]) => [key, readExclusion(failureClass)]));
}
