import type { Member, Population } from "./members";

/**
 * How a list was narrowed by what came of its trials. `only-not-passed`, `only-passed`: it has one verdict alone while the trials
 * left out have the other too. `by-result`: it has both, chosen by outcome, reward, cost, time, judgment or anything else that goes
 * with the verdict.
 */
export type PartKind = "only-not-passed" | "only-passed" | "by-result";

/** A list that leaves trials out by what came of them, so that no label of it speaks of a score. */
export interface ListPart {
  readonly kind: PartKind;
  /** Trials with a verdict of the list, and of the same list without those filters. */
  readonly nTrials: number;
  readonly nWhole: number;
}

/**
 * What a list leaves out by what came of its trials; null where it leaves out none.
 *
 * @param whole - the same list without filters by what came of its trials, see `readWholeList`
 */
export function findPart(members: Population, whole: Population): ListPart | null {
  if (members.size >= whole.size) return null;
  return findPartOf([...members.values()], [...whole.values()]);
}

/** {@link findPart} of members that belong together, such as those of one agent. */
export function findPartOf(members: readonly Member[], whole: readonly Member[]): ListPart | null {
  if (members.length >= whole.length) return null;
  const size = { nTrials: members.length, nWhole: whole.length };
  const isOnly = (verdict: boolean) =>
    members.every(({ hasPassed }) => hasPassed === verdict) &&
    whole.some(({ hasPassed }) => hasPassed !== verdict);
  if (isOnly(false)) return { kind: "only-not-passed", ...size };
  return { kind: isOnly(true) ? "only-passed" : "by-result", ...size };
}
