import "server-only";
import type { Annotation } from "@/lib/core/domain/annotation";
import { oncePer } from "@/lib/core/domain/once-per";
import { type CodebookHistory, mapForward, type TrialAnnotations } from "@/lib/people/annotations";

interface CategoryUses {
  readonly byId: ReadonlyMap<string, readonly TrialAnnotations[]>;
  /** Labels of older judgments that no codebook had, most used first. */
  readonly unlisted: readonly { readonly label: string; readonly nTrials: number }[];
}

/** Keyed by the list of judgments, which is a new array after every save. */
const usesOf = oncePer((stored: readonly TrialAnnotations[]) =>
  oncePer((history: CodebookHistory) => computeUses(stored, history)),
);

export function findUses(stored: readonly TrialAnnotations[], history: CodebookHistory): CategoryUses {
  return usesOf(stored)(history);
}

function computeUses(stored: readonly TrialAnnotations[], history: CodebookHistory): CategoryUses {
  const byId = new Map<string, TrialAnnotations[]>();
  const byLabel = new Map<string, TrialAnnotations[]>();
  for (const trial of stored) {
    for (const { id, label } of listCategories(trial, history)) {
      const [uses, name] = id === null ? [byLabel, label] : [byId, id];
      const trials = uses.get(name);
      if (trials === undefined) uses.set(name, [trial]);
      else if (trials.at(-1) !== trial) trials.push(trial);
    }
  }
  const unlisted = Array.from(byLabel, ([label, trials]) => ({ label, nTrials: trials.length }));
  return { byId, unlisted: unlisted.toSorted((a, b) => b.nTrials - a.nTrials) };
}

function listCategories({ chains }: TrialAnnotations, history: CodebookHistory) {
  return chains.flatMap(({ current }) => (current === null ? [] : mapForward(history, current)));
}

/** Returns the judgments that count, in the order they were saved. */
export function listStanding(stored: readonly TrialAnnotations[]): readonly Annotation[] {
  const standing = stored.flatMap(({ chains }) => chains.flatMap(({ current }) => current ?? []));
  return standing.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp)));
}
