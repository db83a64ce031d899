import type { ResampledInterval } from "./bootstrap";
import type { CorrectedScore } from "./corrected-score";
import type { DifferenceBounds } from "./difference-bounds";
import type { MeanBounds } from "./mean-interval";
import type { Equivalence } from "./paired-comparison";
import type { CurveBand, FixedTaskCurve } from "./pass-curves";
import type { RateInterval } from "./rate-interval";
import type { MissingRule } from "./task-values";
import type { AccuracyRate } from "./verifier-accuracy";

type Method = (
  | AccuracyRate
  | CorrectedScore
  | CurveBand
  | DifferenceBounds
  | Equivalence
  | FixedTaskCurve
  | MeanBounds
  | RateInterval
  | ResampledInterval
)["method"];
type AnyEstimand = (CorrectedScore | MeanBounds | RateInterval)["estimand"];

const METHODS: Record<Method, string> = {
  "cluster-t": "t interval, tasks as clusters",
  "cluster-wilson": "Wilson interval of the effective sample, tasks as clusters",
  "trial-t": "t interval over the trials of the only task",
  "one-sided": "exact one-sided bound, as all values agree",
  "clopper-pearson": "Clopper-Pearson, exact",
  wilson: "Wilson",
  jeffreys: "Jeffreys",
  percentile: "bootstrap, percentile with expanded tails",
  bca: "bootstrap, BCa with expanded tails",
  "percentile-bootstrap": "bootstrap by task, percentile with expanded tails",
  "agresti-min": "Agresti-Min, as few tasks differ",
  "exact-bound": "exact bound, as all tasks agree",
  "paired-t": "paired t over tasks",
  "two-one-sided-t": "two one-sided t tests",
  "within-task-t": "t of the spread within tasks",
  "logit-by-verdict": "log odds, weighted by verdict",
  "logit-by-stratum": "log odds, weighted by stratum",
  "by-verdict": "corrected by verdict",
  "by-agent-and-verdict": "corrected by agent and verdict",
  "rogan-gladen": "corrected by Rogan and Gladen",
};

const ESTIMANDS: Record<AnyEstimand, string> = {
  "new-tasks": "for new tasks like these",
  "same-tasks": "for the same tasks run again",
  "same-trials": "for these trials",
  "new-rows": "for new cases like these",
};

/** The basis of a figure. Results of this library have these fields, each optional. */
export interface Basis {
  readonly method?: Method;
  readonly estimand?: AnyEstimand;
  readonly level?: number;
  readonly nComparisons?: number;
  readonly df?: number | null;
  readonly n?: number;
  readonly nTasks?: number;
  readonly nMissing?: number;
  readonly missing?: MissingRule;
  readonly designEffect?: number | null;
  readonly resamples?: number;
  readonly seed?: number;
  readonly generator?: string;
}

/**
 * Returns the basis of a figure in words: level, method, estimand, counts, missing rule and draws.
 * @param parts - a result and its parts; the first that has a field counts
 */
export function describeBasis(...parts: readonly Basis[]): string {
  const basis = parts.reduce<Basis>((all, part) => ({ ...part, ...all }), {});
  const { level, nComparisons = 1, method, estimand, designEffect, resamples, seed, generator = "" } = basis;
  return [
    [
      formatKnown(level, (share) => `${String(Number((share * 100).toFixed(2)))} %`),
      nComparisons === 1 ? null : `95 % for ${nComparisons} comparisons together (Bonferroni)`,
      formatKnown(method, (name) => METHODS[name]),
      formatKnown(estimand, (name) => ESTIMANDS[name]),
    ],
    [
      describeCounts(basis),
      describeMissing(basis),
      formatKnown(designEffect, (effect) => `design effect ${effect.toFixed(2)}`),
    ],
    [
      formatKnown(resamples, (n) => `${n.toLocaleString("en-US")} resamples`),
      formatKnown(seed, (n) => `${generator} seed ${n}`.trim()),
    ],
  ]
    .map((words) => words.filter((word) => word !== null).join(", "))
    .filter((sentence) => sentence !== "")
    .join("; ");
}

function formatKnown<T>(value: T | null | undefined, format: (value: T) => string): string | null {
  return value === undefined || value === null ? null : format(value);
}

function describeCounts({ n, nTasks, df }: Basis): string | null {
  const words = [
    formatKnown(n, (all) => count(all, "value")),
    formatKnown(nTasks, (all) => count(all, "task")),
  ];
  const known = words.filter((word) => word !== null);
  if (known.length === 0) return null;
  return `${known.join(" of ")}${formatKnown(df, (all) => ` (${all.toFixed(all % 1 === 0 ? 0 : 1)} df)`) ?? ""}`;
}

function describeMissing({ nMissing = 0, missing }: Basis): string | null {
  if (nMissing === 0 || missing === undefined) return null;
  return missing === "zero" ? `${nMissing} missing count 0` : `${nMissing} missing excluded`;
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
}
