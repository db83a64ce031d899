import { computeNormalQuantile } from "./distributions";
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

/**
 * What a score is corrected by. Both are used as they are, for one agent: agents that fool a verifier differ, so one
 * agent's labels do not correct another's score.
 */
export interface CorrectionInput {
  /** The verifier's verdicts on all trials. */
  readonly verdicts: VerdictCounts;
  /**
   * Variance of the verifier's pass rate for new tasks (its squared clustered standard error); null to speak of these
   * trials only.
   */
  readonly passRateVariance: number | null;
  /** Labels drawn from these trials, at any rate per verdict; null where there are none. */
  readonly ownLabels: Confusion | null;
  /** Labels of other trials, drawn without looking at the verifier; null where there are none. */
  readonly calibration: Confusion | null;
}

/**
 * Corrects a pass rate by whatever labels there are: own labels first, which have the least variance; an outside
 * calibration set where a verdict has too few of them.
 *
 * @returns `no-values` without trials, or why the last of the two was refused: `too-few-labels`,
 *   `uninformative-verifier`
 */
export function computeCorrectedScore(input: CorrectionInput): CorrectedScore | Unavailable {
  const own = input.ownLabels === null ? null : correctByVerdict({ ...input, ownLabels: input.ownLabels });
  if (own?.kind === "computed" || input.calibration === null) {
    return own ?? declareUnavailable("too-few-labels");
  }
  return correctByCalibration({ ...input, calibration: input.calibration });
}

/**
 * Correction by labels of the same trials: p x PPV + (1 - p) x (1 - NPV). Right whatever the rates at which labels were
 * drawn from either verdict, as long as they were drawn by chance within it.
 *
 * For these trials only (`passRateVariance` null) the limits close in as the labels run out, down to none when every trial
 * is labelled.
 *
 * @returns `too-few-labels` where a verdict that some trial has was labelled fewer than five times
 * @see Cochran, "Sampling Techniques" (1977), sections 2.6 and 5.3, finite populations and strata
 * @see Zou and Donner, "Construction of confidence limits about effect measures" (2008), limits of a sum from Wilson's
 */
export function correctByVerdict(
  input: Pick<CorrectionInput, "verdicts" | "passRateVariance"> & { readonly ownLabels: Confusion },
): CorrectedScore | Unavailable {
  const { verdicts, ownLabels } = input;
  const nTrials = verdicts.nPassed + verdicts.nFailed;
  if (nTrials === 0) return declareUnavailable("no-values");
  const isCensus = input.passRateVariance === null;
  const passed = readStratum(ownLabels.bothPassed, ownLabels.onlyVerifierPassed, verdicts.nPassed, {
    nTrials,
    isCensus,
  });
  const failed = readStratum(ownLabels.onlyHumanPassed, ownLabels.bothFailed, verdicts.nFailed, {
    nTrials,
    isCensus,
  });
  if (passed === null || failed === null) return declareUnavailable("too-few-labels");
  const observed = verdicts.nPassed / nTrials;
  const corrected = passed.share * passed.rate + failed.share * failed.rate;
  const z = computeNormalQuantile(0.5 + LEVEL / 2);
  const fromTasks = (passed.rate - failed.rate) ** 2 * (input.passRateVariance ?? 0);
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
    low: Math.max(0, corrected - Math.sqrt(below ** 2 + z * z * fromTasks)),
    high: Math.min(1, corrected + Math.sqrt(above ** 2 + z * z * fromTasks)),
    level: LEVEL,
    standardError: Math.sqrt(
      passed.share ** 2 * passed.variance + failed.share ** 2 * failed.variance + fromTasks,
    ),
    estimand: input.passRateVariance === null ? "same-trials" : "new-tasks",
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
  if (n < FEWEST_LABELS || interval.kind === "unavailable") return null;
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
 *
 * @returns `too-few-labels` with fewer than five human passes or fails in it; `uninformative-verifier` where TPR + TNR - 1
 *   is below 0.1
 * @see Rogan and Gladen, "Estimating prevalence from the results of a screening test" (1978)
 * @see Lang and Reiczigel, "Confidence limits for prevalence of disease adjusted for estimated sensitivity and
 *   specificity" (2014), the interval; with a clustered variance its sample size is that of as many independent trials
 */
export function correctByCalibration(
  input: Pick<CorrectionInput, "verdicts" | "passRateVariance"> & { readonly calibration: Confusion },
): CorrectedScore | Unavailable {
  const { verdicts, calibration } = input;
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
  const variance = input.passRateVariance ?? naive;
  // As many independent trials as would show this variance.
  const nEffective = naive > 0 && variance > 0 ? nTrials * (naive / variance) : nTrials;
  const limits = computeLangReiczigel({ observed, n: nEffective, tpr, nPass, tnr, nFail });
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
        variance +
          (corrected ** 2 * tpr * (1 - tpr)) / nPass +
          ((1 - corrected) ** 2 * tnr * (1 - tnr)) / nFail,
      ) / divisor,
    // Verdicts on other trials of the same kind would differ too: the pass rate is taken as a sample.
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
}): { low: number; high: number } {
  const z = computeNormalQuantile(0.5 + LEVEL / 2);
  const n = input.n + z * z;
  const p = (input.n * input.observed + (z * z) / 2) / n;
  const nPass = input.nPass + 2;
  const nFail = input.nFail + 2;
  const tpr = (input.nPass * input.tpr + 1) / nPass;
  const tnr = (input.nFail * input.tnr + 1) / nFail;
  const divisor = tpr + tnr - 1;
  // Held within the scale, unlike in the paper: a rate that had to be clipped would else lose its width.
  const centre = Math.min(1, Math.max(0, (p + tnr - 1) / divisor));
  const ofPass = (tpr * (1 - tpr)) / nPass;
  const ofFail = (tnr * (1 - tnr)) / nFail;
  const move = 2 * z * z * (centre * ofPass - (1 - centre) * ofFail);
  const half =
    (z * Math.sqrt((p * (1 - p)) / n + centre ** 2 * ofPass + (1 - centre) ** 2 * ofFail)) / divisor;
  return { low: Math.max(0, centre + move - half), high: Math.min(1, centre + move + half) };
}
