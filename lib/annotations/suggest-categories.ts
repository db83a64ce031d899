import type { Judgment } from "@/lib/domain/judgment";
import { compareNames } from "@/lib/domain/compare-text";

import { listAll } from "./list";
import type { AnnotationStore } from "./store";

/** A category to offer, and on how many trials reviewers used it with this judgment. */
export interface CategorySuggestion {
  readonly label: string;
  readonly nTask: number;
  readonly nJob: number;
  readonly nAll: number;
}

/** Offered while a folder's own vocabulary is still small. Words, not a fixed taxonomy: a used category comes first. */
const STARTERS: Readonly<Record<Judgment, readonly string[]>> = {
  pass: ["Right for the wrong reason", "Verifier too lenient", "Lucky"],
  fail: [
    "Stopped early",
    "Unverified claim",
    "Wrong output",
    "Misread task",
    "Weakened tests",
    "Environment",
  ],
  defer: ["Needs an expert", "Broken task", "Unclear task", "Infrastructure"],
};

/**
 * Categories to offer for each judgment: those used on this task first, then on this job, then anywhere, each by the
 * number of trials; then the starters that are not among them. Only versions that count are counted.
 *
 * @param limit - most categories per judgment, starters included
 */
export async function suggestCategories(
  store: AnnotationStore,
  place: { readonly taskName: string; readonly jobUuid: string | null; readonly jobName: string },
  limit = 9,
): Promise<Readonly<Record<Judgment, readonly CategorySuggestion[]>>> {
  const used: Record<Judgment, Map<string, CategorySuggestion>> = {
    pass: new Map(),
    fail: new Map(),
    defer: new Map(),
  };
  for (const { chains } of await listAll(store)) {
    for (const { current } of chains) {
      if (current === null) continue;
      const { subject } = current;
      const inTask = subject.taskName === place.taskName;
      const inJob =
        place.jobUuid === null ? subject.jobName === place.jobName : subject.jobUuid === place.jobUuid;
      for (const label of current.categories) addUse(used[current.judgment], label, inTask, inJob);
    }
  }
  return {
    pass: rank(used.pass, STARTERS.pass, limit),
    fail: rank(used.fail, STARTERS.fail, limit),
    defer: rank(used.defer, STARTERS.defer, limit),
  };
}

function addUse(used: Map<string, CategorySuggestion>, label: string, inTask: boolean, inJob: boolean): void {
  const before = used.get(label) ?? { label, nTask: 0, nJob: 0, nAll: 0 };
  used.set(label, {
    label,
    nTask: before.nTask + Number(inTask),
    nJob: before.nJob + Number(inJob),
    nAll: before.nAll + 1,
  });
}

function rank(used: ReadonlyMap<string, CategorySuggestion>, starters: readonly string[], limit: number) {
  const known = new Set([...used.keys()].map((label) => label.toLowerCase()));
  const ranked = [...used.values()].toSorted(
    (a, b) => b.nTask - a.nTask || b.nJob - a.nJob || b.nAll - a.nAll || compareNames(a.label, b.label),
  );
  const rest = starters
    .filter((label) => !known.has(label.toLowerCase()))
    .map((label) => ({ label, nTask: 0, nJob: 0, nAll: 0 }));
  return [...ranked, ...rest].slice(0, limit);
}
