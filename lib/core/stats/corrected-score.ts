import { correctByCalibration } from "./correct-by-calibration";
import { correctByVerdict, correctByVerdictOverTasks } from "./correct-by-verdict";
import { sumLabels, sumVerdicts } from "./correct-by-verdict";
import type { CorrectedScore, TaskVerdicts } from "./correct-by-verdict";
import { computeMeanErrors } from "./mean-errors";
import type { Unavailable } from "./unavailable";
import type { Confusion } from "./verifier-accuracy";

/** Inputs of a correction, all of one agent, since agents differ in how far they fool a verifier. */
export interface CorrectionInput {
  readonly tasks: readonly TaskVerdicts[];
  /** Estimand for own labels. An outside calibration set always estimates new tasks. */
  readonly estimand: CorrectedScore["estimand"];
  /** Labels of other trials, sampled independently of the verifier; null without any. */
  readonly calibration: Confusion | null;
}

/**
 * Corrects a pass rate by own labels first, which have the least variance, else by an outside calibration set.
 * @returns `no-values` without trials, or why the last of the two was refused
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
