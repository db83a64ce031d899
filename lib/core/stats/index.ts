/**
 * Statistics beyond Harbor's own: intervals, curves, comparisons, agreement. The scoring core has Harbor's own figures, bit for
 * bit. Every result names its method, estimand, counts and missing rule; a figure that cannot be computed is an {@link
 * Unavailable}. README.md lists the functions, their sources and their refusals. Import from this file only.
 *
 * The published types have the comments of a result's own fields, but not of fields that a spread adds.
 */

// Basis and reasons
export { describeBasis, type Basis } from "./describe-basis";
export { describeUnavailable, type Unavailable, type UnavailableReason } from "./unavailable";

// Means, rates, shares
export {
  applyMissingRule,
  computeLostReward,
  computeMean,
  type CompleteTask,
  type MissingRule,
  type TaskValues,
} from "./task-values";
export {
  computeMeanErrors,
  computeMeanInterval,
  type Estimand,
  type MeanBounds,
  type MeanErrors,
  type MeanInterval,
} from "./mean-interval";
export {
  LEVEL,
  computeClopperPearsonInterval,
  computeJeffreysInterval,
  computeWilsonInterval,
  type RateInterval,
} from "./rate-interval";
export {
  computeSensitivity,
  type Exclusion,
  type ReadingName,
  type Sensitivity,
  type SensitivityTrial,
} from "./sensitivity";
export {
  DIMENSION_EDGES,
  computeDistribution,
  computeHighFence,
  computeShare,
  type Distribution,
} from "./distribution";

// pass@k and pass^k
export {
  computeFixedTaskCurve,
  computePassAtK,
  computePassCurve,
  computePassDifference,
  computePassHatK,
  countSuccesses,
  type BandOptions,
  type CurveBand,
  type CurvePoint,
  type CurveValue,
  type FixedTaskBounds,
  type FixedTaskCurve,
  type FixedTaskValue,
  type PassCurve,
  type TaskCounts,
} from "./pass-curves";

// Dimensions, tests, tasks, and what changed between two groups
export {
  computeCorrelations,
  computeDimensionOverview,
  computeDimensionSummary,
  computeLossShares,
  type CorrelationPair,
  type Correlations,
  type DimensionStanding,
  type DimensionSummary,
  type DimensionValues,
  type EndEffects,
  type WeightedPart,
} from "./dimensions";
export {
  computeFailRates,
  computeItemRest,
  type FailRate,
  type ItemRest,
  type TestedTrial,
} from "./task-items";
export { computeGroupChanges, type GroupChange } from "./group-changes";
export { computeExpectedWin, type ExpectedWin, type WinBasis } from "./expected-win";

// Reliability, and runs of the same tasks
export {
  computePairConsistency,
  computeReliability,
  type Reliability,
  type ReliabilityFigure,
} from "./reliability";
export { computeRunBounds, computeRunToRun, type RunBounds, type RunToRun } from "./run-to-run";
export { computeRankSets, type RankSet, type RankSets } from "./rank-sets";

// Two groups on their common tasks
export {
  adjustByHolm,
  adjustTogether,
  compareTaskMeans,
  computeEquivalence,
  computeMcNemarTest,
  computePairedComparison,
  computeShareDifference,
  type DetectableDifference,
  type Equivalence,
  type McNemarTest,
  type PairedComparison,
  type ShareDifference,
  type TaskShares,
} from "./paired-comparison";
export type { DifferenceBounds, SignFlipTest } from "./difference-bounds";
export {
  computeAttemptsNeeded,
  computeDetectableDifference,
  computePairingGain,
  computeTasksNeeded,
  estimatePairedSpread,
  type PairedDesign,
  type PairedSpread,
  type PairingGain,
  type PowerOptions,
} from "./power";

// Cost and time
export {
  computeCostPerPass,
  computeParetoFrontier,
  computeRatioDifference,
  computeRatioInterval,
  computeSkewedIntervals,
  computeSurvival,
  type Duration,
  type ParetoFrontier,
  type ParetoPoint,
  type RatioDifference,
  type RatioInterval,
  type SkewedIntervals,
  type Survival,
  type SurvivalQuantile,
  type TaskRatio,
} from "./cost-and-time";

// Agreement of humans, and verifiers against humans
export {
  computeAgreement,
  computeAgreementByCategory,
  computeCoOccurrence,
  type Agreement,
  type CategorizedItem,
  type CoOccurrence,
  type Coefficient,
  type RatedItem,
} from "./agreement";
export {
  computeCorrectedScore,
  correctByCalibration,
  correctByStratum,
  correctByVerdict,
  correctByVerdictOverTasks,
  countMissingLabels,
  readShift,
  type AgentLabels,
  type CorrectedScore,
  type CorrectionInput,
  type LabelDraw,
  type LabelNeed,
  type LabelsNeeded,
  type MissingLabels,
  type StratifiedCorrection,
  type TaskVerdicts,
} from "./corrected-score";
export {
  allocateLabels,
  planLabels,
  type LabelAllocation,
  type LabelPlan,
  type LabelStratum,
  type PlanPoint,
  type PlannedAgent,
} from "./label-plan";
export {
  computeErrorRate,
  computeMargin,
  computeStratifiedShare,
  computeVerifierAccuracy,
  countConfusion,
  type AccuracyRate,
  type Confusion,
  type ConfusionCell,
  type LabelSampling,
  type StratifiedShare,
  type StratumCounts,
  type StratumShare,
  type VerdictCounts,
  type VerifierAccuracy,
  type VerifierLabel,
} from "./verifier-accuracy";

// Sampling and progress of reviews
export {
  chooseDouble,
  drawSample,
  type Sample,
  type SampleItem,
  type SampleOptions,
  type SampledStratum,
} from "./sample";
export { computePace, computeSaturation, type Pace, type Saturation } from "./review-progress";

// The bootstrap
export type { ResampleOptions, ResampledInterval } from "./bootstrap";
