import { computeWilsonInterval, type RateInterval } from "./rate-interval";

export interface TestedTrial {
  readonly task: string;
  /** True if the test of that name failed; null if it was skipped or its status is unknown. */
  readonly tests: ReadonlyMap<string, boolean | null>;
}

export interface FailRate {
  readonly task: string;
  readonly test: string;
  readonly rate: RateInterval;
  /** Trials of the task with a report in which it did not run or is not named. No rate includes them. */
  readonly nMissing: number;
  readonly estimand: "same-tasks";
}

/**
 * Computes how often each test fails over the trials of its task, with Wilson's interval. Assumes independent trials given their
 * task, so pass the trials of one group.
 * @returns the highest rate first, then by task and name; tests that ran in no trial are omitted
 */
export function computeFailRates(trials: readonly TestedTrial[]): readonly FailRate[] {
  const byTask = Map.groupBy(trials, ({ task }) => task);
  const rates = [...byTask].flatMap(([task, ofTask]) => {
    const names = new Set(ofTask.flatMap(({ tests }) => [...tests.keys()]));
    return [...names].flatMap((test): FailRate[] => {
      const ran = ofTask.flatMap(({ tests }) => tests.get(test) ?? []);
      const rate = computeWilsonInterval(ran.filter((failed) => failed).length, ran.length);
      if (rate.kind === "unavailable") return [];
      return [{ task, test, rate, nMissing: ofTask.length - ran.length, estimand: "same-tasks" }];
    });
  });
  return rates.sort(
    (a, b) => b.rate.rate - a.rate.rate || compare(a.task, b.task) || compare(a.test, b.test),
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
