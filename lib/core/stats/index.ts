/**
 * Statistics beyond Harbor's own: intervals, curves, comparisons, agreement. The scoring core has Harbor's own figures, bit for
 * bit. Every result names its method, estimand, counts and missing rule; a figure that cannot be computed is an {@link
 * Unavailable}. README.md lists the functions, their sources and their refusals. Import from this file only.
 */

// Basis and reasons
export { type Basis, describeBasis } from "./describe-basis";
export { describeUnavailable, type Unavailable, type UnavailableReason } from "./unavailable";

// Means, rates, shares
export { computeMeanErrors, type MeanErrors, type SameTasksBounds } from "./mean-errors";
export { computeMeanInterval, type Estimand, type MeanBounds, type MeanInterval } from "./mean-interval";
export { computeLostReward } from "./lost-reward";
export {
  computeClopperPearsonInterval,
  computeJeffreysInterval,
  computeWilsonInterval,
  LEVEL,
} from "./rate-interval";
export type { RateInterval } from "./rate-interval";
export { computeStratifiedShare, type StratifiedShare, type StratumShare } from "./stratified-share";
export { computeSensitivity } from "./sensitivity";
export type { Exclusion, ReadingName, ScoreReading, Sensitivity, SensitivityTrial } from "./sensitivity";
export { applyMissingRule, computeMean } from "./task-values";
export type { CompleteTask, MissingRule, TaskValues } from "./task-values";

// pass@k and pass^k
export { computeFixedTaskCurve } from "./fixed-task-curve";
export type { FixedTaskBounds, FixedTaskCurve, FixedTaskPoint, FixedTaskValue } from "./fixed-task-curve";
export { computePassAtK, computePassHatK, countSuccesses, type TaskCounts } from "./pass-at-k";
export { computePassCurve, computePassDifference } from "./pass-curves";
export type { BandOptions, CurveBand, CurvePoint, CurveValue, PassCurve } from "./pass-curves";

// Dimensions, tests, and what changed between two groups
export { computeCorrelations, type CorrelationPair, type Correlations } from "./correlation";
export { computeDimensionOverview, computeLossShares } from "./dimension-overview";
export type { DimensionStanding, DimensionValues, WeightedPart } from "./dimension-overview";
export { computeDimensionSummary, DIMENSION_EDGES } from "./dimension-summary";
export type { DimensionSummary, EndEffects } from "./dimension-summary";
export { computeFailRates, type FailRate, type TestedTrial } from "./fail-rates";
export { computeGroupChanges, type GroupChange } from "./group-changes";

// Tasks over the runs of a dataset
export { computeHighFence } from "./high-fence";
export { computeItemRest, type ItemRest } from "./item-rest";

// Runs of the same tasks
export { computeRankSets, type RankSet, type RankSets } from "./rank-sets";
export { computeRunBounds, computeRunToRun, type RunBounds, type RunToRun } from "./run-to-run";

// Reliability
export {
  computePairConsistency,
  computeReliability,
  type Reliability,
  type ReliabilityFigure,
} from "./reliability";

export { type CoOccurrence, computeCoOccurrence } from "./co-occurrence";
export { computeExpectedWin, type ExpectedWin, type WinBasis } from "./expected-win";

// Two groups on their common tasks
export { computeEquivalence, type Equivalence } from "./equivalence";
export { adjustByHolm, adjustTogether } from "./holm";
export { computeMcNemarTest, type McNemarTest } from "./mcnemar";
export { compareTaskMeans, computePairedComparison } from "./paired-comparison";
export type { DifferenceBounds } from "./difference-bounds";
export { computeShareDifference, type ShareDifference, type TaskShares } from "./share-difference";
export type { DetectableDifference, PairedComparison } from "./paired-comparison";
export {
  computeAttemptsNeeded,
  computeDetectableDifference,
  computePairingGain,
  computeTasksNeeded,
  estimatePairedSpread,
} from "./power";
export type { PairedDesign, PairedSpread, PairingGain, PowerOptions } from "./power";
export type { SignFlipTest } from "./sign-flip";

// Cost and time
export { computeCostPerPass, computeDistribution, computeShare } from "./distribution";
export type { Distribution, Histogram, HistogramBin } from "./distribution";
export { computeParetoFrontier, type ParetoFrontier, type ParetoPoint } from "./pareto-frontier";
export { computeRatioDifference, computeRatioInterval } from "./ratio-interval";
export type { RatioDifference, RatioInterval, TaskRatio } from "./ratio-interval";
export { computeSkewedIntervals, type Location, type SkewedIntervals } from "./skewed-intervals";
export { computeSurvival, type Duration, type Survival, type SurvivalQuantile } from "./survival";

// Agreement of humans, and verifiers against humans
export { computeAgreement } from "./agreement";
export type { Agreement, CategoryAgreement, Coefficient, RatedItem } from "./agreement";
export { computeAgreementByCategory } from "./agreement-by-category";
export type { CategorizedItem, PresenceAgreement } from "./agreement-by-category";
export { correctByCalibration } from "./correct-by-calibration";
export { correctByStratum } from "./correct-by-stratum";
export type {
  AgentLabels,
  LabelDraw,
  LabelNeed,
  LabelsNeeded,
  StratifiedCorrection,
} from "./correct-by-stratum";
export { correctByVerdict, correctByVerdictOverTasks } from "./correct-by-verdict";
export { computeCorrectedScore, type CorrectionInput } from "./corrected-score";
export type { CorrectedScore, TaskVerdicts } from "./correct-by-verdict";
export { allocateLabels, type LabelAllocation, type LabelStratum } from "./label-allocation";
export { type LabelPlan, type PlannedAgent, planLabels, type PlanPoint } from "./label-plan";
export { computeErrorRate, computeMargin, countMissingLabels, readShift } from "./verifier-reading";
export type { ErrorRate, MissingLabels } from "./verifier-reading";
export { computeVerifierAccuracy, countConfusion } from "./verifier-accuracy";
export type {
  AccuracyRate,
  Confusion,
  ConfusionCell,
  LabelSampling,
  StratumCounts,
  VerdictCounts,
  VerifierAccuracy,
  VerifierLabel,
} from "./verifier-accuracy";

// Sampling and progress of reviews
export { computePace, type Pace } from "./pace";
export { chooseDouble, drawSample } from "./sample";
export { computeSaturation, type Saturation } from "./saturation";
export type { Sample, SampledStratum, SampleItem, SampleOptions } from "./sample";

// The bootstrap
export type { ResampledInterval, ResampleOptions } from "./resample";
