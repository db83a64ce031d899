import { type CorrectedScore, FEWEST_LABELS } from "./correct-by-verdict";
import { computeNormalQuantile } from "./distributions";
import { LEVEL, type Limits } from "./rate-interval";
import { declareUnavailable, type Unavailable } from "./unavailable";
import type { Confusion, VerdictCounts } from "./verifier-accuracy";

/** Below this divisor a small error of the calibration moves the score by ten times as much. */
const LEAST_DIVISOR = 0.1;

/**
 * Corrects a pass rate by an outside calibration set: (p + TNR - 1) / (TPR + TNR - 1), clipped to 0 and 1. Valid only where the
 * verifier errs on these trials as often as on that set. The set must hold one trial per task and must not be sampled by verdict.
 * @param input.passRate - with its variance for new tasks, 0 where no task differs, and the number of tasks
 * @returns `too-few-labels` with fewer than five human passes or fails; `uninformative-verifier` where TPR + TNR - 1 is below 0.1
 * @see Rogan and Gladen, "Estimating prevalence from the results of a screening test" (1978); Lang and Reiczigel, "Confidence
 * limits for prevalence of disease adjusted for estimated sensitivity and specificity" (2014)
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
  // If every trial or every task has the same verdict, the effective sample is the tasks.
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
}): Limits | null {
  const z = computeNormalQuantile(0.5 + LEVEL / 2);
  const n = input.n + z * z;
  const p = (input.n * input.observed + (z * z) / 2) / n;
  const nPass = input.nPass + 2;
  const nFail = input.nFail + 2;
  const tpr = (input.nPass * input.tpr + 1) / nPass;
  const tnr = (input.nFail * input.tnr + 1) / nFail;
  const divisor = tpr + tnr - 1;
  if (divisor < LEAST_DIVISOR) return null;
  // Clipped to the scale, unlike in the paper: a rate that had to be clipped would lose its width.
  const centre = Math.min(1, Math.max(0, (p + tnr - 1) / divisor));
  const ofPass = (tpr * (1 - tpr)) / nPass;
  const ofFail = (tnr * (1 - tnr)) / nFail;
  const move = 2 * z * z * (centre * ofPass - (1 - centre) * ofFail);
  const half =
    (z * Math.sqrt((p * (1 - p)) / n + centre ** 2 * ofPass + (1 - centre) ** 2 * ofFail)) / divisor;
  return { low: Math.max(0, centre + move - half), high: Math.min(1, centre + move + half) };
}
