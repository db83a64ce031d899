import { computeNormalQuantile, computeTQuantile } from "./distributions";
import { computeMeanErrors } from "./mean-interval";
import { LEVEL, type Limits, computeWilsonInterval } from "./rate-interval";
import { type Unavailable, declareUnavailable } from "./unavailable";
import { type Confusion, type VerdictCounts, countByVerdict } from "./verifier-accuracy";

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
  const verdicts = sumLabelled(tasks);
  const own =
    estimand === "new-tasks"
      ? correctByVerdictOverTasks(tasks)
      : correctByVerdict({ verdicts, ownLabels: verdicts.labels });
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
  return correctByCalibration({ verdicts, passRate, calibration });
}

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

export interface TaskVerdicts extends LabelledVerdicts {
  readonly task: string;
}

interface LabelledVerdicts extends VerdictCounts {
  readonly labels: Confusion;
}

/** Sums the trials and labels of tasks or agents. */
function sumLabelled(parts: readonly LabelledVerdicts[]): LabelledVerdicts {
  const sum = (read: (part: LabelledVerdicts) => number) =>
    parts.reduce((total, part) => total + read(part), 0);
  return {
    nPassed: sum(({ nPassed }) => nPassed),
    nFailed: sum(({ nFailed }) => nFailed),
    labels: {
      bothPassed: sum(({ labels }) => labels.bothPassed),
      onlyVerifierPassed: sum(({ labels }) => labels.onlyVerifierPassed),
      onlyHumanPassed: sum(({ labels }) => labels.onlyHumanPassed),
      bothFailed: sum(({ labels }) => labels.bothFailed),
    },
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
  const verdicts = sumLabelled(seen);
  const { labels } = verdicts;
  const whole = combineStrata(verdicts, labels, "new-tasks");
  if (whole.kind === "unavailable") return whole;
  if (seen.length < 2) return declareUnavailable("one-task");
  const nTrials = whole.nTrials;
  const share = (part: number, of: number) => (of === 0 ? 0 : part / of);
  const { nPassed: ofPassed, nFailed: ofFailed } = countByVerdict(labels);
  const rates = {
    passed: share(labels.bothPassed, ofPassed),
    failed: share(labels.onlyHumanPassed, ofFailed),
  };
  // Each task's part of the score's error, through its verdicts and through its labels of either verdict.
  const influences = seen.map(({ nPassed, nFailed, labels: own }) => {
    const fromVerdicts =
      nPassed * rates.passed + nFailed * rates.failed - (nPassed + nFailed) * whole.corrected;
    const labelled = countByVerdict(own);
    const fromPassed = own.bothPassed - rates.passed * labelled.nPassed;
    const fromFailed = own.onlyHumanPassed - rates.failed * labelled.nFailed;
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
function addStrata(
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
function readStrata(
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

export interface AgentLabels extends LabelledVerdicts {
  readonly agent: string;
}

export interface LabelNeed {
  readonly agent: string | null;
  readonly verdict: "passed" | "failed";
  readonly nLabelled: number;
  readonly nMore: number;
}

export interface LabelsNeeded extends Unavailable {
  readonly reason: "too-few-labels";
  readonly needs: readonly LabelNeed[];
}

export interface LabelDraw {
  /** True if, within a verdict, trials of every agent were equally likely to be labelled. */
  readonly isAcrossAgents: boolean;
}

export type StratifiedCorrection = ReturnType<typeof correctByStratum>;

/**
 * Corrects each agent by its own labels, verdict by verdict, and all agents by the sum of these strata weighted by trials. Strata
 * are per agent because agents differ in how far they fool a verifier. If an agent has too few labels, the sum uses verdicts
 * alone, provided labels were drawn across agents. A single agent is never corrected by the labels of others. All results are for
 * these trials only (`same-trials`).
 * @returns `no-values` for an agent, or all, without trials; `too-few-labels` with the labels needed where a verdict that some
 * trial has was labelled fewer than five times, unless these are all
 * @see `correctByVerdict`; Cochran, "Sampling Techniques" (1977), section 5A.9, poststratification
 */
export function correctByStratum(agents: readonly AgentLabels[], draw: LabelDraw) {
  return {
    agents: agents.map((one) => {
      const score = correctByVerdict({ verdicts: one, ownLabels: one.labels });
      const isShort = score.kind === "unavailable" && score.reason === "too-few-labels";
      return { agent: one.agent, score: isShort ? declareNeeds(listNeeds(one.agent, one)) : score };
    }),
    /** `by-agent-and-verdict` where every agent has enough labels, else `by-verdict` where the draw allows it. */
    all: correctAllAgents(agents, draw),
  } as const;
}

/** Returns the score of all agents together, as in {@link correctByStratum}. */
export function correctAllAgents(
  agents: readonly AgentLabels[],
  draw: LabelDraw,
): CorrectedScore | LabelsNeeded | Unavailable {
  const together = sumLabelled(agents);
  const nTrials = together.nPassed + together.nFailed;
  if (nTrials === 0) return declareUnavailable("no-values");
  const strata = agents.flatMap((one): readonly (Stratum | null)[] => {
    return readStrata(one, one.labels, { nTrials, isCensus: true }) ?? [null];
  });
  if (strata.every((stratum) => stratum !== null)) {
    const of = { method: "by-agent-and-verdict", estimand: "same-trials", nTrials } as const;
    return addStrata(strata, { ...of, nPassed: together.nPassed });
  }
  if (!draw.isAcrossAgents) return declareNeeds(agents.flatMap((one) => listNeeds(one.agent, one)));
  const pooled = correctByVerdict({ verdicts: together, ownLabels: together.labels });
  return pooled.kind === "computed" ? pooled : declareNeeds(listNeeds(null, together));
}

function listNeeds(agent: string | null, { nPassed, nFailed, labels }: LabelledVerdicts): LabelNeed[] {
  const labelled = countByVerdict(labels);
  const count = (verdict: LabelNeed["verdict"], nLabelled: number, nTrials: number): LabelNeed => ({
    agent,
    verdict,
    nLabelled,
    nMore: Math.min(FEWEST_LABELS, nTrials) - nLabelled,
  });
  return [count("passed", labelled.nPassed, nPassed), count("failed", labelled.nFailed, nFailed)].filter(
    ({ nMore }) => nMore > 0,
  );
}

function declareNeeds(needs: readonly LabelNeed[]): LabelsNeeded {
  return { kind: "unavailable", reason: "too-few-labels", needs };
}

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

/** Labels that rates or a correction of some trials still need, by verdict; 0 where there are enough. */
export type MissingLabels = ReturnType<typeof countMissingLabels>;

/** Counts the labels that trials with these verdicts still need before their verifier is assessed. */
export function countMissingLabels(verdicts: VerdictCounts, labels: Confusion) {
  const ofPassed = Math.min(FEWEST_LABELS, verdicts.nPassed);
  const ofFailed = Math.min(FEWEST_LABELS, verdicts.nFailed);
  const labelled = countByVerdict(labels);
  const nPassed = Math.max(0, ofPassed - labelled.nPassed);
  const nFailed = Math.max(0, ofFailed - labelled.nFailed);
  const nNeeded = ofPassed + ofFailed;
  return {
    nPassed,
    nFailed,
    /** Total labels needed: up to five per verdict, and no more than it has trials. */
    nNeeded,
    nThere: nNeeded - nPassed - nFailed,
  };
}

/**
 * Classifies a corrected score against the recorded one: whether the interval excludes it, and on which side. `same` where every
 * trial is labelled and nothing changes.
 */
export function readShift({
  low,
  high,
  observed,
  shift,
}: Pick<CorrectedScore, "low" | "high" | "observed" | "shift">): "higher" | "lower" | "unclear" | "same" {
  if (low > observed) return "higher";
  if (high < observed) return "lower";
  return shift === 0 && low === high ? "same" : "unclear";
}
