/**
 * Statistics beyond Harbor's own: intervals, curves, comparisons. Pure numbers in, plain objects out.
 * Harbor's figures, bit for bit, come from the scoring core; what is here adds what a figure cannot say alone.
 * Every result names its method, estimand, counts and missing rule; what cannot be computed is an {@link Unavailable}.
 */
export { computeCorrelations } from "./correlation";
export type { CorrelationPair } from "./correlation";
export { describeComparison, describeReach, describeUnavailable } from "./describe-comparison";
export { computeDimensionSummary, DIMENSION_EDGES } from "./dimension-summary";
export type { EndEffects } from "./dimension-summary";
export { computeCostPerPass, computeDistribution, computeShare } from "./distribution";
export { computeGroupChanges } from "./group-changes";
export type { GroupChange } from "./group-changes";
export { computeMeanInterval } from "./mean-interval";
export type { MeanBounds, MeanInterval } from "./mean-interval";
export { compareTaskMeans, computePairedComparison } from "./paired-comparison";
export type { PairedComparison } from "./paired-comparison";
export { countSuccesses } from "./pass-at-k";
export { computePassCurve, computePassDifference } from "./pass-curves";
export type { CurveBand, CurvePoint, CurveValue, PassCurve } from "./pass-curves";
export { computeWilsonInterval, LEVEL } from "./rate-interval";
export type { RateInterval } from "./rate-interval";
export { adjustHolm } from "./sign-flip";
export { applyMissingRule, computeMean } from "./task-values";
export type { TaskValues } from "./task-values";
export type { Unavailable } from "./unavailable";
