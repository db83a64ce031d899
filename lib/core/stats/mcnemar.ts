import { computeBinomialCdf } from "./distributions";
import type { TaskCounts } from "./pass-at-k";
import { pairTasks } from "./task-values";
import { declareUnavailable, type Unavailable } from "./unavailable";

export interface McNemarTest {
  readonly kind: "computed";
  readonly method: "exact-mcnemar";
  readonly estimand: "new-tasks";
  /** Two-sided; more than 0, at most 1. */
  readonly p: number;
  /**
   * The same with half the chance of the observed split. Its error rate is close to the nominal one.
   * @see Fagerland, Lydersen and Laake, "The McNemar Test for Binary Matched-Pairs Data" (2013)
   */
  readonly midP: number;
  readonly nTasks: number;
  readonly bothPassed: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly nonePassed: number;
}

/**
 * Computes McNemar's exact test: whether tasks that only one group passed split evenly between the groups.
 * @returns `no-common-tasks`; `several-attempts` where a common task has more than one on a side
 * @see McNemar, "Note on the Sampling Error of the Difference Between Correlated Proportions" (1947)
 */
export function computeMcNemarTest(
  first: readonly TaskCounts[],
  second: readonly TaskCounts[],
): McNemarTest | Unavailable {
  const pairs = pairTasks(first, second);
  if (pairs.length === 0) return declareUnavailable("no-common-tasks");
  if (pairs.some((pair) => pair.first.n !== 1 || pair.second.n !== 1))
    return declareUnavailable("several-attempts");
  const count = (passedFirst: number, passedSecond: number) =>
    pairs.filter((pair) => pair.first.c === passedFirst && pair.second.c === passedSecond).length;
  const onlyFirst = count(1, 0);
  const onlySecond = count(0, 1);
  return {
    kind: "computed",
    method: "exact-mcnemar",
    estimand: "new-tasks",
    ...computeSignP(onlyFirst, onlySecond),
    nTasks: pairs.length,
    bothPassed: count(1, 1),
    onlyFirst,
    onlySecond,
    nonePassed: count(0, 0),
  };
}

/** Returns the two-sided chance of a split at least as uneven between two equally likely sides; 1 for no tasks. */
function computeSignP(one: number, other: number): Pick<McNemarTest, "p" | "midP"> {
  const n = one + other;
  if (n === 0) return { p: 1, midP: 1 };
  const fewer = Math.min(one, other);
  const tail = computeBinomialCdf(fewer, n, 0.5);
  const seen = fewer === 0 ? tail : tail - computeBinomialCdf(fewer - 1, n, 0.5);
  // An even split belongs to both tails, and is observed once.
  const midP = one === other ? 1 - seen / 2 : 2 * tail - seen;
  // With more than a thousand tasks on one side the share underflows, but it is not 0.
  return { p: Math.min(1, Math.max(2 * tail, Number.MIN_VALUE)), midP: Math.max(midP, Number.MIN_VALUE) };
}
