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

/** Below this share of the largest value, differences come from the order of sums. */
export const ROUNDING = 1e-12;

/** Returns the largest distance from 0, the scale for rounding errors. */
export function computeSize(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** Sorts tasks by name in UTF-16 order, so that draws do not depend on the order of input. */
export function sortByTask<T extends { readonly task: string }>(tasks: readonly T[]): readonly T[] {
  return tasks.toSorted((a, b) => compareText(a.task, b.task));
}

/** Compares UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
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

/** Returns the distance to a full reward, 0 to 1: 1 without a reward, and for one below 0. @param reward - null and NaN for none */
export function computeLostReward(reward: number | null): number {
  if (reward === null || Number.isNaN(reward)) return 1;
  return 1 - Math.min(1, Math.max(0, reward));
}
