import { computeTQuantile } from "./distributions";
import { computeWilsonInterval, LEVEL } from "./rate-interval";
import { declareUnavailable, type Unavailable } from "./unavailable";
import type { Confusion, VerdictCounts } from "./verifier-accuracy";

/** A human-corrected pass rate, from labels of this benchmark or (`rogan-gladen`) of an outside set. */
export interface CorrectedScore {
  readonly kind: "computed";
  /** The strata that were corrected and summed: verdicts, or agents and verdicts. */
  readonly method: "by-verdict" | "by-agent-and-verdict" | "rogan-gladen";
  readonly observed: number;
  readonly corrected: number;
  readonly shift: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly standardError: number;
  /** `same-trials`: only the choice of labelled trials is random. `new-tasks`: the tasks are too. */
  readonly estimand: "same-trials" | "new-tasks";
  readonly nTrials: number;
  readonly nLabels: number;
  /** Rogan and Gladen: TPR + TNR - 1, which the correction divides by; null by verdict. */
  readonly divisor: number | null;
  readonly isClipped: boolean;
}

/** With fewer labels of a verdict there is no telling how far it can be trusted. */
export const FEWEST_LABELS = 5;

export interface TaskVerdicts extends VerdictCounts {
  readonly task: string;
  readonly labels: Confusion;
}

export function sumVerdicts(tasks: readonly TaskVerdicts[]): VerdictCounts {
  return {
    nPassed: tasks.reduce((sum, { nPassed }) => sum + nPassed, 0),
    nFailed: tasks.reduce((sum, { nFailed }) => sum + nFailed, 0),
  };
}

export function sumLabels(tasks: readonly TaskVerdicts[]): Confusion {
  const sum = (cell: keyof Confusion) => tasks.reduce((total, { labels }) => total + labels[cell], 0);
  return {
    bothPassed: sum("bothPassed"),
    onlyVerifierPassed: sum("onlyVerifierPassed"),
    onlyHumanPassed: sum("onlyHumanPassed"),
    bothFailed: sum("bothFailed"),
  };
}

/**
 * Corrects a pass rate by labels of the same trials, p x PPV + (1 - p) x (1 - NPV), for these trials only. Labels may be drawn
 * from each verdict at any rate, if they are drawn at random within it.
 * @returns `no-values` without trials; `too-few-labels` where a verdict that some trial has was labelled fewer than five times
 * @see Cochran, "Sampling Techniques" (1977), sections 2.6 and 5.3; Zou and Donner, "Construction of confidence limits about
 * effect measures" (2008)
 */
export function correctByVerdict(input: {
  readonly verdicts: VerdictCounts;
  readonly ownLabels: Confusion;
}): CorrectedScore | Unavailable {
  return combineStrata(input.verdicts, input.ownLabels, "same-trials");
}

/**
 * Does the same for new tasks, with tasks as clusters, and limits no narrower than those of independent labels.
 * @returns as `correctByVerdict`, and `one-task`
 * @see Binder, "On the Variances of Asymptotically Normal Estimators from Complex Surveys" (1983), linearisation
 */
export function correctByVerdictOverTasks(tasks: readonly TaskVerdicts[]): CorrectedScore | Unavailable {
  const seen = tasks.filter(({ nPassed, nFailed }) => nPassed + nFailed > 0);
  const [verdicts, labels] = [sumVerdicts(seen), sumLabels(seen)];
  const whole = combineStrata(verdicts, labels, "new-tasks");
  if (whole.kind === "unavailable") return whole;
  if (seen.length < 2) return declareUnavailable("one-task");
  const nTrials = whole.nTrials;
  const share = (part: number, of: number) => (of === 0 ? 0 : part / of);
  const ofPassed = labels.bothPassed + labels.onlyVerifierPassed;
  const ofFailed = labels.onlyHumanPassed + labels.bothFailed;
  const rates = {
    passed: share(labels.bothPassed, ofPassed),
    failed: share(labels.onlyHumanPassed, ofFailed),
  };
  // Each task's part of the score's error, through its verdicts and through its labels of either verdict.
  const influences = seen.map(({ nPassed, nFailed, labels: own }) => {
    const fromVerdicts =
      nPassed * rates.passed + nFailed * rates.failed - (nPassed + nFailed) * whole.corrected;
    const fromPassed = own.bothPassed - rates.passed * (own.bothPassed + own.onlyVerifierPassed);
    const fromFailed = own.onlyHumanPassed - rates.failed * (own.onlyHumanPassed + own.bothFailed);
    return (
      fromVerdicts / nTrials +
      share(verdicts.nPassed, nTrials) * share(fromPassed, ofPassed) +
      share(verdicts.nFailed, nTrials) * share(fromFailed, ofFailed)
    );
  });
  const squares = influences.reduce((sum, influence) => sum + influence ** 2, 0);
  const standardError = Math.sqrt((seen.length / (seen.length - 1)) * squares);
  const half = computeTQuantile(0.5 + LEVEL / 2, seen.length - 1) * standardError;
  return {
    ...whole,
    low: Math.max(0, Math.min(whole.low, whole.corrected - half)),
    high: Math.min(1, Math.max(whole.high, whole.corrected + half)),
    standardError: Math.max(standardError, whole.standardError),
  };
}

function combineStrata(
  verdicts: VerdictCounts,
  labels: Confusion,
  estimand: CorrectedScore["estimand"],
): CorrectedScore | Unavailable {
  const nTrials = verdicts.nPassed + verdicts.nFailed;
  if (nTrials === 0) return declareUnavailable("no-values");
  const strata = readStrata(verdicts, labels, { nTrials, isCensus: estimand === "same-trials" });
  if (strata === null) return declareUnavailable("too-few-labels");
  return addStrata(strata, { method: "by-verdict", estimand, nTrials, nPassed: verdicts.nPassed });
}

/** Sums strata with shares that add up to 1, with the limits of the sum. */
export function addStrata(
  strata: readonly Stratum[],
  of: Pick<CorrectedScore, "method" | "estimand" | "nTrials"> & { readonly nPassed: number },
): CorrectedScore {
  const { method, estimand, nTrials, nPassed } = of;
  const observed = nPassed / nTrials;
  const corrected = strata.reduce((sum, { share, rate }) => sum + share * rate, 0);
  const below = Math.hypot(...strata.map(({ share, rate, low }) => share * (rate - low)));
  const above = Math.hypot(...strata.map(({ share, rate, high }) => share * (high - rate)));
  return {
    kind: "computed",
    method,
    observed,
    corrected,
    shift: corrected - observed,
    low: Math.max(0, corrected - below),
    high: Math.min(1, corrected + above),
    level: LEVEL,
    standardError: Math.sqrt(strata.reduce((sum, { share, variance }) => sum + share ** 2 * variance, 0)),
    estimand,
    nTrials,
    nLabels: strata.reduce((sum, { n }) => sum + n, 0),
    divisor: null,
    isClipped: false,
  };
}

export interface Stratum {
  /** Their share of all trials, and the share of them that humans pass, with limits. */
  readonly share: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly variance: number;
  readonly n: number;
}

/** Returns the strata of both verdicts, as shares of `nTrials`; null if one has too few labels. */
export function readStrata(
  verdicts: VerdictCounts,
  labels: Confusion,
  of: { readonly nTrials: number; readonly isCensus: boolean },
): readonly [Stratum, Stratum] | null {
  const passed = readStratum(labels.bothPassed, labels.onlyVerifierPassed, verdicts.nPassed, of);
  const failed = readStratum(labels.onlyHumanPassed, labels.bothFailed, verdicts.nFailed, of);
  return passed === null || failed === null ? null : [passed, failed];
}

function readStratum(
  humanPassed: number,
  humanFailed: number,
  size: number,
  of: { readonly nTrials: number; readonly isCensus: boolean },
): Stratum | null {
  const n = humanPassed + humanFailed;
  const share = size / of.nTrials;
  if (size === 0) return { share, rate: 0, low: 0, high: 0, variance: 0, n };
  const interval = computeWilsonInterval(humanPassed, n);
  if (n < Math.min(FEWEST_LABELS, of.isCensus ? size : FEWEST_LABELS) || interval.kind === "unavailable")
    return null;
  const { rate, low, high } = interval;
  // For these trials only the unlabelled are unknown; for other trials like them, all are.
  const unknown = of.isCensus ? Math.max(0, size - n) / Math.max(1, size - 1) : 1;
  const narrow = Math.sqrt(unknown);
  return {
    share,
    rate,
    low: rate - narrow * (rate - low),
    high: rate + narrow * (high - rate),
    variance: (unknown * rate * (1 - rate)) / n,
    n,
  };
}
