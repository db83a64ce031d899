/** The values of one task's attempts, in attempt order. Null is a missing value, which is not 0. */
export interface TaskValues {
  readonly task: string;
  readonly values: readonly (number | null)[];
}

/** Value of a missing reward. `zero`: 0, as Harbor scores it. `exclude`: excluded, as is a task that has no other value. */
export type MissingRule = "zero" | "exclude";

export interface CompleteTask {
  readonly task: string;
  readonly values: readonly number[];
}

/** Returns the tasks that have values under the rule, in their order, and the number of missing values before it. */
export function applyMissingRule(
  tasks: readonly TaskValues[],
  missing: MissingRule,
): { readonly tasks: readonly CompleteTask[]; readonly nMissing: number } {
  let nMissing = 0;
  const complete: CompleteTask[] = [];
  for (const { task, values } of tasks) {
    const kept: number[] = [];
    for (const value of values) {
      if (value === null || Number.isNaN(value)) nMissing++;
      if (value !== null && !Number.isNaN(value)) kept.push(value);
      else if (missing === "zero") kept.push(0);
    }
    if (kept.length > 0) complete.push({ task, values: kept });
  }
  return { tasks: complete, nMissing };
}

/** Returns the mean of at least one value, by compensated summation, so that 0.8375 does not become 0.8374999. */
export function computeMean(values: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  // Compensation of an infinite sum would be NaN.
  return (Number.isFinite(sum) ? sum + lost : sum) / values.length;
}

/** Returns the largest distance from 0, the scale for rounding errors. */
export function computeSize(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** Sorts tasks by name in UTF-16 order, so that draws do not depend on the order of input. */
export function sortByTask<T extends { readonly task: string }>(tasks: readonly T[]): readonly T[] {
  return tasks.toSorted((a, b) => (a.task < b.task ? -1 : Number(a.task > b.task)));
}

export function haveAllValues(
  pairs: readonly { readonly first: CompleteTask; readonly second: CompleteTask }[],
  test: (value: number) => boolean,
): boolean {
  return pairs.every(({ first, second }) => first.values.every(test) && second.values.every(test));
}

/** Returns the sum of squared distances from the mean; 0 for fewer than two values. */
export function computeSquaredDeviations(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = computeMean(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** Returns the squared standard error of the mean of at least two independent values. */
export function computeMeanVariance(values: readonly number[]): number {
  return computeSquaredDeviations(values) / (values.length - 1) / values.length;
}

export function pairTasks<A extends { readonly task: string }, B extends { readonly task: string }>(
  first: readonly A[],
  second: readonly B[],
): readonly { readonly first: A; readonly second: B }[] {
  const others = new Map(second.map((task) => [task.task, task]));
  return first.flatMap((task) => {
    const other = others.get(task.task);
    return other === undefined ? [] : [{ first: task, second: other }];
  });
}

const REASONS = {
  "no-tasks": "there are no tasks",
  "no-values": "there are no values",
  "one-task": "one task shows no variation between tasks",
  "several-datasets": "the trials are from several datasets",
  "one-run": "one run shows no variation between runs",
  "one-value": "one value shows no variation",
  "no-variation": "there is no variation between tasks",
  "no-common-tasks": "they share no task",
  "no-reward": "one of them has no reward",
  "no-task-with-enough-attempts": "no task has that many attempts",
  "no-known-values": "nothing was reported",
  "not-finite": "a reward is infinite",
  "undefined-figure": "it divides by zero",
  "several-attempts": "a task has several attempts",
  "not-two-raters": "it needs exactly two reviewers",
  "constant-rater": "one reviewer always gives the same answer, so it is 0",
  "no-double-labels": "nothing was reviewed twice",
  "rare-category": "fewer than five trials reviewed twice have it",
  "too-few-labels": "there are too few judgments",
  "chosen-by-result": "the trials were chosen by their result",
  "weights-needed": "judgments were sampled at unknown rates",
  "uninformative-verifier": "the verifier barely separates passes from failures",
  "out-of-reach": "no number would be enough",
  "too-few-attempts": "tasks have too few attempts",
  "too-few-tasks": "with so few tasks no test can be certain",
  "few-pairs": "fewer than three trials report both",
  "few-runs": "fewer than three runs can be compared",
  "no-ends": "rewards are not from 0 to 1",
  "ends-unknown": "some trials ended in a way that is not known yet",
  constant: "one of the two never varies",
} as const;

export type UnavailableReason = keyof typeof REASONS;

/** A figure that cannot be computed, and why. Never a NaN. */
export interface Unavailable {
  readonly kind: "unavailable";
  readonly reason: UnavailableReason;
}

export function declareUnavailable(reason: UnavailableReason): Unavailable {
  return { kind: "unavailable", reason };
}

/** Returns a reason in words that complete "not shown, because". */
export function describeUnavailable(reason: UnavailableReason): string {
  return REASONS[reason];
}

/** Returns Pearson's correlation of finite values, -1 to 1; null if the product of their spreads is not above `leastSpread`. */
export function computePearson(
  x: readonly number[],
  y: readonly number[],
  leastSpread: number,
): number | null {
  const meanX = computeMean(x);
  const meanY = computeMean(y);
  const product = computeSquaredDeviations(x) * computeSquaredDeviations(y);
  // Squares overflow or underflow long before the values do. Rescaling does not change a correlation.
  if ((product < 1e-290 || !Number.isFinite(product)) && leastSpread === 0) {
    const [sizeX, sizeY] = [computeSize(x), computeSize(y)];
    const [ownX, ownY] = [x.map((value) => value / sizeX), y.map((value) => value / sizeY)];
    const isOut = sizeX !== 1 || sizeY !== 1;
    if (isOut && sizeX > 0 && sizeY > 0) return computePearson(ownX, ownY, 0);
  }
  const spread = Math.sqrt(product);
  if (!(spread > leastSpread)) return null;
  const products = x.reduce((sum, value, index) => sum + (value - meanX) * ((y[index] ?? 0) - meanY), 0);
  return Math.min(1, Math.max(-1, products / spread));
}
