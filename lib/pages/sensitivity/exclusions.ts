import "server-only";
import type { SensitivityTrial } from "@/lib/core/stats";
import { CLASSES, EXCLUDED_CLASSES, type FailureClass } from "@/lib/core/triage/classes";
import { type IndexStore, readTrialClasses } from "@/lib/store/tables";

/** A null class means that the trial is not classified yet. */
export function readExclusion(failureClass: FailureClass | null): SensitivityTrial["exclusion"] {
  return failureClass === null ? "unknown" : (CLASSES[failureClass].excludedAs ?? null);
}

/** Returns exclusions by trial key. A trial without one is absent. */
export async function readExclusions(
  store: IndexStore,
  group: Parameters<typeof readTrialClasses>[1],
): Promise<ReadonlyMap<string, SensitivityTrial["exclusion"]>> {
  const classes = await readTrialClasses(store, group, EXCLUDED_CLASSES);
  return new Map(Array.from(classes, ([key, failureClass]) => [key, readExclusion(failureClass)]));
}
