import { declareUnavailable, type Unavailable } from "./unavailable";

/** Duration of a trial. A trial stopped by a limit would have run longer, for an unknown time. */
export interface Duration {
  readonly seconds: number;
  readonly isCensored: boolean;
}

/** A quantile of durations, or the longest time it is known to exceed. */
export interface SurvivalQuantile {
  readonly seconds: number;
  readonly isLowerBound: boolean;
}

/** Durations with stopped trials as censored, by Kaplan and Meier. */
export interface Survival {
  readonly kind: "computed";
  readonly method: "kaplan-meier";
  readonly median: SurvivalQuantile;
  readonly p90: SurvivalQuantile;
  /** The share still running after each time at which a trial ended, times rising. */
  readonly steps: readonly { readonly seconds: number; readonly share: number }[];
  readonly n: number;
  readonly nCensored: number;
  /** Missing durations, in no figure here. */
  readonly nUnknown: number;
  readonly missing: "exclude";
}

/** Shares closer than this to a half are a half: products of fractions lose their last bits. */
const ROUNDING = 1e-12;

/**
 * Computes median and 90th percentile of durations when some trials were stopped at a limit. Assumes that a stop carries no other
 * information about the duration. `no-known-values` without a duration.
 * @see Kaplan and Meier, "Nonparametric Estimation from Incomplete Observations" (1958)
 */
export function computeSurvival(durations: readonly (Duration | null)[]): Survival | Unavailable {
  const known = durations
    .filter((duration) => duration !== null)
    .filter(({ seconds }) => Number.isFinite(seconds))
    .toSorted((a, b) => a.seconds - b.seconds);
  const longest = known.at(-1);
  if (longest === undefined) return declareUnavailable("no-known-values");
  const steps: { seconds: number; share: number }[] = [];
  let share = 1;
  for (let start = 0; start < known.length;) {
    const seconds = known[start]?.seconds ?? 0;
    let end = start;
    let ended = 0;
    while (known[end]?.seconds === seconds) {
      if (known[end]?.isCensored === false) ended++;
      end++;
    }
    // A trial stopped at this very time was still running when the others ended.
    share *= 1 - ended / (known.length - start);
    if (ended > 0) steps.push({ seconds, share });
    start = end;
  }
  const readQuantile = (p: number): SurvivalQuantile => {
    const step = steps.find((candidate) => candidate.share <= 1 - p + ROUNDING);
    return step === undefined
      ? { seconds: longest.seconds, isLowerBound: true }
      : { seconds: step.seconds, isLowerBound: false };
  };
  return {
    kind: "computed",
    method: "kaplan-meier",
    median: readQuantile(0.5),
    p90: readQuantile(0.9),
    steps,
    n: known.length,
    nCensored: known.filter(({ isCensored }) => isCensored).length,
    nUnknown: durations.length - known.length,
    missing: "exclude",
  };
}
