/**
 * Statistics beyond Harbor's own: intervals, curves, comparisons, agreement. The scoring core has Harbor's own figures, bit for
 * bit. Every result names its method, estimand, counts and missing rule; a figure that cannot be computed is an {@link
 * Unavailable}. README.md lists the functions, their sources and their refusals. Import from this file only.
 */

// Basis and reasons
export { type Basis, describeBasis } from "./describe-basis";
export { describeUnavailable, type Unavailable } from "./task-values";

// Means, rates, shares
export { computeMeanErrors, type MeanErrors } from "./mean-interval";
export { computeMeanInterval, type MeanBounds, type MeanInterval } from "./mean-interval";
export { computeLostReward } from "./mean-interval";
export {
  computeClopperPearsonInterval,
  computeJeffreysInterval,
  computeWilsonInterval,
  LEVEL,
} from "./rate-interval";
export type { RateInterval } from "./rate-interval";
export { computeStratifiedShare, type StratifiedShare, type StratumShare } from "./verifier-accuracy";
export { computeSensitivity } from "./mean-interval";
export type { Exclusion, ReadingName, Sensitivity, SensitivityTrial } from "./mean-interval";
export { applyMissingRule, computeMean } from "./task-values";
export type { MissingRule, TaskValues } from "./task-values";

// pass@k and pass^k
export { computeFixedTaskCurve } from "./pass-curves";
export { computePassAtK, computePassHatK, countSuccesses, type TaskCounts } from "./pass-curves";
export { computePassCurve, computePassDifference } from "./pass-curves";
export type { CurveBand, CurvePoint, CurveValue, PassCurve } from "./pass-curves";

// Dimensions, tests, and what changed between two groups
export { computeCorrelations, type CorrelationPair } from "./dimensions";
export { computeDimensionOverview, computeLossShares } from "./dimensions";
export type { DimensionStanding, WeightedPart } from "./dimensions";
export { computeDimensionSummary, DIMENSION_EDGES } from "./dimensions";
export type { EndEffects } from "./dimensions";
export { computeFailRates } from "./dimensions";
export { computeGroupChanges, type GroupChange } from "./dimensions";

// Tasks over the runs of a dataset
export { computeHighFence } from "./cost-and-time";
export { computeItemRest, type ItemRest } from "./dimensions";

// Runs of the same tasks
export { computeRankSets, type RankSet } from "./spread";
export { computeRunBounds, computeRunToRun, type RunToRun } from "./spread";

// Reliability
export {
  computePairConsistency,
  computeReliability,
  type Reliability,
  type ReliabilityFigure,
} from "./reliability";

export { computeCoOccurrence } from "./agreement";
export { computeExpectedWin, type ExpectedWin, type WinBasis } from "./dimensions";

// Two groups on their common tasks
export { computeEquivalence } from "./paired-comparison";
export { adjustByHolm, adjustTogether } from "./paired-comparison";
export { computeMcNemarTest } from "./paired-comparison";
export { compareTaskMeans, computePairedComparison } from "./paired-comparison";
export type { DifferenceBounds } from "./difference-bounds";
export { computeShareDifference, type ShareDifference } from "./paired-comparison";
export type { PairedComparison } from "./paired-comparison";
export {
  computeAttemptsNeeded,
  computeDetectableDifference,
  computePairingGain,
  computeTasksNeeded,
  estimatePairedSpread,
} from "./spread";

// Cost and time
export { computeCostPerPass, computeDistribution, computeShare } from "./cost-and-time";
export type { Distribution } from "./cost-and-time";
export { computeParetoFrontier } from "./cost-and-time";
export { computeRatioDifference, computeRatioInterval } from "./cost-and-time";
export type { RatioInterval } from "./cost-and-time";
export { computeSkewedIntervals } from "./cost-and-time";
export { computeSurvival } from "./cost-and-time";

// Agreement of humans, and verifiers against humans
export { computeAgreement } from "./agreement";
export type { Agreement, Coefficient } from "./agreement";
export { computeAgreementByCategory } from "./agreement";
export { correctByCalibration } from "./corrected-score";
export { correctByStratum } from "./corrected-score";
export type { AgentLabels, StratifiedCorrection } from "./corrected-score";
export { correctByVerdict, correctByVerdictOverTasks } from "./corrected-score";
export { computeCorrectedScore } from "./corrected-score";
export type { CorrectedScore, TaskVerdicts } from "./corrected-score";
export { allocateLabels } from "./label-plan";
export { type LabelPlan, planLabels } from "./label-plan";
export { computeErrorRate, computeMargin } from "./verifier-accuracy";
export { computeVerifierAccuracy, countConfusion } from "./verifier-accuracy";
export type {
  AccuracyRate,
  Confusion,
  ConfusionCell,
  StratumCounts,
  VerdictCounts,
  VerifierAccuracy,
  VerifierLabel,
} from "./verifier-accuracy";

// Sampling and progress of reviews
export { computePace } from "./sample";
export { chooseDouble, drawSample } from "./sample";
export { computeSaturation, type Saturation } from "./sample";
export type { Sample } from "./sample";

// The bootstrap
export { countMissingLabels, type MissingLabels, readShift } from "./corrected-score";
