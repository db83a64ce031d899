/**
 * Statistics beyond Harbor's own: intervals, curves, comparisons. Pure numbers in, plain objects out.
 * Harbor's figures, bit for bit, come from the scoring core; what is here adds what a figure cannot say alone.
 * Every result names its method, estimand, counts and missing rule; what cannot be computed is an {@link Unavailable}.
 */
export { RESAMPLES } from "./bootstrap";
export { describeComparison, describeReach, describeUnavailable } from "./describe-comparison";
export { computeDistribution, computeHistogram } from "./distribution";
export type { Distribution, Histogram, HistogramBin } from "./distribution";
export { computeMeanInterval } from "./mean-interval";
export type { Estimand, MeanBounds, MeanInterval } from "./mean-interval";
export { compareTaskMeans, computePairedComparison, POWER } from "./paired-comparison";
export type { DetectableDifference, DifferenceBounds, PairedComparison } from "./paired-comparison";
export { computePassAtK, computePassHatK, countSuccesses } from "./pass-at-k";
export type { TaskCounts } from "./pass-at-k";
export { computePassCurve, computePassDifference, selectKs } from "./pass-curves";
export type { BandOptions, CurveBand, CurvePoint, CurveValue, PassCurve } from "./pass-curves";
export { DEFAULT_SEED, RANDOM_NAME } from "./random";
export { computeClopperPearsonInterval, computeWilsonInterval, LEVEL } from "./rate-interval";
export type { RateInterval } from "./rate-interval";
export { adjustHolm } from "./sign-flip";
export type { SignFlipTest } from "./sign-flip";
export { applyMissingRule, computeMean } from "./task-values";
export type { MissingRule, TaskValues } from "./task-values";
export type { Unavailable, UnavailableReason } from "./unavailable";
