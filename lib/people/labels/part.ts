import type { Member, Population } from "./members";

/**
 * How a list was narrowed by outcome. `only-not-passed`, `only-passed`: it has one verdict, and the omitted trials have the other
 * too. `by-result`: it has both, selected by outcome, reward, cost, time, judgment or another property that correlates with the
 * verdict.
 */
export type PartKind = "only-not-passed" | "only-passed" | "by-result";

/** A list filtered by outcome, whose labels cannot correct a score. */
export interface ListPart {
  readonly kind: PartKind;
  readonly nTrials: number;
  readonly nWhole: number;
}

/**
 * Null if the list omits nothing by outcome.
 *
 * @param whole - the list without filters by outcome, see `readWholeList`
 */
export function findPart(members: Population, whole: Population): ListPart | null {
  if (members.size >= whole.size) return null;
  return findPartOf([...members.values()], [...whole.values()]);
}

export function findPartOf(members: readonly Member[], whole: readonly Member[]): ListPart | null {
  if (members.length >= whole.length) return null;
  const size = { nTrials: members.length, nWhole: whole.length };
  const isOnly = (verdict: boolean) =>
    members.every(({ hasPassed }) => hasPassed === verdict) &&
    whole.some(({ hasPassed }) => hasPassed !== verdict);
  if (isOnly(false)) return { kind: "only-not-passed", ...size };
  return { kind: isOnly(true) ? "only-passed" : "by-result", ...size };
}
