import { computeNormalQuantile, computeTQuantile } from "./distributions";
import { computeMeanErrors } from "./mean-errors";
import { computeWilsonInterval, LEVEL } from "./rate-interval";
import { declareUnavailable } from "./unavailable";
import type { Unavailable } from "./unavailable";
import type { Confusion, VerdictCounts } from "./verifier-accuracy";

/**
 * A benchmark's pass rate as humans would have it.
 * `by-verdict`: labels of this very benchmark say how far each verdict can be trusted. `rogan-gladen`: an outside
 * calibration set says how often the verifier is right.
 */
export interface CorrectedScore {
  readonly kind: "computed";
  readonly method: "by-verdict" | "rogan-gladen";
  /** The verifier's pass rate. */
  readonly observed: number;
  readonly corrected: number;
  /** Corrected minus observed. */
  readonly shift: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly standardError: number;
  /** `same-trials`: only which trials were labelled is chance. `new-tasks`: the tasks are too. */
  readonly estimand: "same-trials" | "new-tasks";
  readonly nTrials: number;
  readonly nLabels: number;
  /** Rogan and Gladen: TPR + TNR - 1, which the correction divides by; null by verdict. */
  readonly divisor: number | null;
  /** Whether the corrected rate came out beyond 0 or 1 and was held there. */
  readonly isClipped: boolean;
}

/** Fewer labels of a verdict than this do not say how far it can be trusted. */
const FEWEST_LABELS = 5;
/** Below this divisor a small error of the calibration moves the score by ten times as much. */
const LEAST_DIVISOR = 0.1;

/** One task's verdicts and its labels. */
export interface TaskVerdicts extends VerdictCounts {
  readonly task: string;
  /** Labels drawn from these trials, at any rate per verdict. */
  readonly labels: Confusion;
}

/**
 * What a score is corrected by. Both kinds of labels are used as they are, for one agent: agents that fool a verifier
 * differ, so one agent's labels do not correct another's score.
 */
export interface CorrectionInput {
  readonly tasks: readonly TaskVerdicts[];
  /** What own labels are to speak of. An outside calibration set always speaks of new tasks. */
  readonly estimand: CorrectedScore["estimand"];
  /** Labels of other trials, drawn without looking at the verifier; null where there are none. */
  readonly calibration: Confusion | null;
}

/**
 * Corrects a pass rate by whatever labels there are: own labels first, which have the least variance; an outside
 * calibration set where a verdict has too few of them.
 *
 * @returns `no-values` without trials, or why the last of the two was refused: `too-few-labels`, `one-task`,
 *   `uninformative-verifier`
 */
export function computeCorrectedScore(input: CorrectionInput): CorrectedScore | Unavailable {
  const { tasks, estimand, calibration } = input;
  const own =
    estimand === "new-tasks"
      ? correctByVerdictOverTasks(tasks)
      : correctByVerdict({ verdicts: sumVerdicts(tasks), ownLabels: sumLabels(tasks) });
  if (own.kind === "computed" || own.reason === "no-values" || calibration === null) return own;
  const values = tasks.map(({ task, nPassed, nFailed }) => ({
    task,
    values: Array.from({ length: nPassed + nFailed }, (_, index) => (index < nPassed ? 1 : 0)),
  }));
  const mean = computeMeanErrors(values, { missing: "zero" });
  const passRate = {
    variance: mean.kind === "computed" ? mean.clustered ** 2 : 0,
    nTasks: values.filter((task) => task.values.length > 0).length,
  };
  return correctByCalibration({ verdicts: sumVerdicts(tasks), passRate, calibration });
}

function sumVerdicts(tasks: readonly TaskVerdicts[]): VerdictCounts {
  return {
    nPassed: tasks.reduce((sum, { nPassed }) => sum + nPassed, 0),
    nFailed: tasks.reduce((sum, { nFailed }) => sum + nFailed, 0),
  };
}

function sumLabels(tasks: readonly TaskVerdicts[]): Confusion {
  const sum = (cell: keyof Confusion) => tasks.reduce((total, { labels }) => total + labels[cell], 0);
  return {
    bothPassed: sum("bothPassed"),
    onlyVerifierPassed: sum("onlyVerifierPassed"),
    onlyHumanPassed: sum("onlyHumanPassed"),
    bothFailed: sum("bothFailed"),
  };
}

/**
 * Correction by labels of the same trials: p x PPV + (1 - p) x (1 - NPV). Right whatever the rates at which labels were
 * drawn from either verdict, as long as they were drawn by chance within it. For these trials only: the limits close in as
 * the labels run out, down to none when every trial is labelled.
 *
 * @returns `no-values` without trials; `too-few-labels` where a verdict that some trial has was labelled fewer than five
 *   times, and not for all of its trials
 * @see Cochran, "Sampling Techniques" (1977), sections 2.6 and 5.3, finite populations and strata
 * @see Zou and Donner, "Construction of confidence limits about effect measures" (2008), limits of a sum from Wilson's
 */
export function correctByVerdict(input: {
  readonly verdicts: VerdictCounts;
  readonly ownLabels: Confusion;
}): CorrectedScore | Unavailable {
  return combineStrata(input.verdicts, input.ownLabels, "same-trials");
}

/**
 * The same for new tasks: labels of a task resemble each other and go with its pass rate, so the standard error is that of
 * the whole correction with tasks as clusters. The limits are no narrower than those of labels taken as independent, which
 * keep some doubt where all labels of a verdict agree.
 *
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
  // What each task adds to the error of the score: through its verdicts, and through its labels of either verdict.
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
  const of = { nTrials, isCensus: estimand === "same-trials" };
  const passed = readStratum(labels.bothPassed, labels.onlyVerifierPassed, verdicts.nPassed, of);
  const failed = readStratum(labels.onlyHumanPassed, labels.bothFailed, verdicts.nFailed, of);
  if (passed === null || failed === null) return declareUnavailable("too-few-labels");
  const observed = verdicts.nPassed / nTrials;
  const corrected = passed.share * passed.rate + failed.share * failed.rate;
  const below = Math.hypot(
    passed.share * (passed.rate - passed.low),
    failed.share * (failed.rate - failed.low),
  );
  const above = Math.hypot(
    passed.share * (passed.high - passed.rate),
    failed.share * (failed.high - failed.rate),
  );
  return {
    kind: "computed",
    method: "by-verdict",
    observed,
    corrected,
    shift: corrected - observed,
    low: Math.max(0, corrected - below),
    high: Math.min(1, corrected + above),
    level: LEVEL,
    standardError: Math.sqrt(passed.share ** 2 * passed.variance + failed.share ** 2 * failed.variance),
    estimand,
    nTrials,
    nLabels: passed.n + failed.n,
    divisor: null,
    isClipped: false,
  };
}

interface Stratum {
  /** Share of all trials with this verdict, and the share of those that humans pass with its limits. */
  readonly share: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly variance: number;
  readonly n: number;
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
  // Of these trials only those without a label are unknown; of others like them, all are.
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

/**
 * Correction by an outside calibration set: (p + TNR - 1) / (TPR + TNR - 1), held within 0 and 1. Right only where the
 * verifier errs on these trials as often as on those of the calibration set, and where that set was not drawn by verdict.
 * Labels of the set are taken as independent: draw one trial a task.
 *
 * @param input.passRate - variance of the pass rate for new tasks (its squared clustered standard error), 0 where no task
 *   differs; and of how many tasks
 * @returns `too-few-labels` with fewer than five human passes or fails in it; `uninformative-verifier` where TPR + TNR - 1
 *   is below 0.1, or is once the two rates are smoothed for their interval
 * @see Rogan and Gladen, "Estimating prevalence from the results of a screening test" (1978)
 * @see Lang and Reiczigel, "Confidence limits for prevalence of disease adjusted for estimated sensitivity and
 *   specificity" (2014), the interval; its sample size is that of as many independent trials as show the variance
 */
export function correctByCalibration(input: {
  readonly verdicts: VerdictCounts;
  readonly passRate: { readonly variance: number; readonly nTasks: number };
  readonly calibration: Confusion;
}): CorrectedScore | Unavailable {
  const { verdicts, calibration, passRate } = input;
  const nTrials = verdicts.nPassed + verdicts.nFailed;
  if (nTrials === 0) return declareUnavailable("no-values");
  const nPass = calibration.bothPassed + calibration.onlyHumanPassed;
  const nFail = calibration.bothFailed + calibration.onlyVerifierPassed;
  if (nPass < FEWEST_LABELS || nFail < FEWEST_LABELS) return declareUnavailable("too-few-labels");
  const tpr = calibration.bothPassed / nPass;
  const tnr = calibration.bothFailed / nFail;
  const divisor = tpr + tnr - 1;
  if (divisor < LEAST_DIVISOR) return declareUnavailable("uninformative-verifier");
  const observed = verdicts.nPassed / nTrials;
  const raw = (observed + tnr - 1) / divisor;
  const corrected = Math.min(1, Math.max(0, raw));
  const naive = (observed * (1 - observed)) / nTrials;
  // Where every trial or every task has the same verdict, tasks are what was seen.
  const nEffective =
    naive > 0 && passRate.variance > 0 ? nTrials * (naive / passRate.variance) : passRate.nTasks;
  const limits = computeLangReiczigel({ observed, n: nEffective, tpr, nPass, tnr, nFail });
  if (limits === null) return declareUnavailable("uninformative-verifier");
  return {
    kind: "computed",
    method: "rogan-gladen",
    observed,
    corrected,
    shift: corrected - observed,
    low: Math.min(corrected, limits.low),
    high: Math.max(corrected, limits.high),
    level: LEVEL,
    standardError:
      Math.sqrt(
        passRate.variance +
          (corrected ** 2 * tpr * (1 - tpr)) / nPass +
          ((1 - corrected) ** 2 * tnr * (1 - tnr)) / nFail,
      ) / divisor,
    estimand: "new-tasks",
    nTrials,
    nLabels: nPass + nFail,
    divisor,
    isClipped: raw !== corrected,
  };
}

function computeLangReiczigel(input: {
  readonly observed: number;
  readonly n: number;
  readonly tpr: number;
  readonly nPass: number;
  readonly tnr: number;
  readonly nFail: number;
}): { low: number; high: number } | null {
  const z = computeNormalQuantile(0.5 + LEVEL / 2);
  const n = input.n + z * z;
  const p = (input.n * input.observed + (z * z) / 2) / n;
  const nPass = input.nPass + 2;
  const nFail = input.nFail + 2;
  const tpr = (input.nPass * input.tpr + 1) / nPass;
  const tnr = (input.nFail * input.tnr + 1) / nFail;
  const divisor = tpr + tnr - 1;
  if (divisor < LEAST_DIVISOR) return null;
  // Held within the scale, unlike in the paper: a rate that had to be clipped would else lose its width.
  const centre = Math.min(1, Math.max(0, (p + tnr - 1) / divisor));
  const ofPass = (tpr * (1 - tpr)) / nPass;
  const ofFail = (tnr * (1 - tnr)) / nFail;
  const move = 2 * z * z * (centre * ofPass - (1 - centre) * ofFail);
  const half =
    (z * Math.sqrt((p * (1 - p)) / n + centre ** 2 * ofPass + (1 - centre) ** 2 * ofFail)) / divisor;
  return { low: Math.max(0, centre + move - half), high: Math.min(1, centre + move + half) };
}
