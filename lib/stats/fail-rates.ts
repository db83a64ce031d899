import { computeWilsonInterval, type RateInterval } from "./rate-interval";

export interface TestedTrial {
  readonly task: string;
  /** By name of the test: whether it failed; null where it was skipped or its status is not known. */
  readonly tests: ReadonlyMap<string, boolean | null>;
}

export interface FailRate {
  readonly task: string;
  readonly test: string;
  /** Over the trials in which it ran. */
  readonly rate: RateInterval;
  /** Trials of the task with a report in which it did not run or is not named: in no rate. */
  readonly nMissing: number;
  readonly estimand: "same-tasks";
}

/**
 * How often each test fails over the trials of its task, with Wilson's interval. Trials are taken as independent given
 * their task, so give those of one group.
 * @returns the highest rate first, then by task and name; a test that ran in no trial is left out
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
