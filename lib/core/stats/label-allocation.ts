import { declareUnavailable, type Unavailable } from "./unavailable";

/** Trials from which labels are drawn together, such as those that the verifier passed. */
export interface LabelStratum {
  readonly name: string;
  readonly nTrials: number;
  readonly nLabelled: number;
  readonly nPassed: number;
  /** Trials still open for labelling, such as the rest of a queue; default: all without a label. */
  readonly nOpen?: number;
}

export interface LabelAllocation {
  readonly kind: "computed";
  readonly method: "neyman";
  readonly strata: readonly { readonly name: string; readonly next: number }[];
  readonly nLeftOver: number;
  /** Standard error of these trials' score, now and after, half labels included; null where a stratum has no label. */
  readonly standardErrorNow: number | null;
  readonly standardErrorAfter: number | null;
}

/**
 * Gives each of the next labels to the stratum where it reduces the variance of the corrected score most. Strata with fewer labels
 * than `fewest` come first, one after the other. Every stratum gets half a label of each kind added.
 * @param fewest - labels that a stratum needs, at most its trials; at least 1
 * @returns `no-values` without trials
 * @see Neyman, "On the Two Different Aspects of the Representative Method" (1934); Wright, "The Equivalence of Neyman Optimum
 * Allocation and Equal Proportions" (2012)
 */
export function allocateLabels(
  strata: readonly LabelStratum[],
  budget: number,
  fewest = 1,
): LabelAllocation | Unavailable {
  const total = strata.reduce((sum, { nTrials }) => sum + nTrials, 0);
  if (total === 0) return declareUnavailable("no-values");
  const plans = strata.map(({ name, nTrials, nLabelled, nPassed, nOpen }) => {
    const rate = (nPassed + 0.5) / (nLabelled + 1);
    return {
      name,
      size: nTrials,
      labels: nLabelled,
      most: Math.min(nTrials, nLabelled + (nOpen ?? nTrials)),
      fewest: Math.min(fewest, nTrials),
      next: 0,
      spread: (nTrials / total) * Math.sqrt(rate * (1 - rate)),
    };
  });
  const standardErrorNow = computeStandardError(plans);
  let left = budget;
  for (; left >= 1; left--) {
    const open = plans.filter(({ most, labels }) => labels < most);
    const [first, ...others] = open;
    if (first === undefined) break;
    const best = others.reduce(
      (leader, plan) => (computeGain(plan) > computeGain(leader) ? plan : leader),
      first,
    );
    best.labels++;
    best.next++;
  }
  return {
    kind: "computed",
    method: "neyman",
    strata: plans.map(({ name, next }) => ({ name, next })),
    nLeftOver: left,
    standardErrorNow,
    standardErrorAfter: computeStandardError(plans),
  };
}

interface Plan {
  readonly spread: number;
  readonly size: number;
  readonly labels: number;
  readonly fewest: number;
}

/** Returns the variance that the next label removes; unbounded with fewer labels than required. */
function computeGain({ spread, labels, size, fewest }: Plan): number {
  if (labels < fewest) return Number.POSITIVE_INFINITY;
  return (spread ** 2 * size) / Math.max(1, size - 1) / (labels * (labels + 1));
}

function computeStandardError(plans: readonly Plan[]): number | null {
  const filled = plans.filter(({ size }) => size > 0);
  if (filled.some(({ labels }) => labels === 0)) return null;
  const variances = filled.map(
    ({ spread, labels, size }) =>
      ((spread ** 2 / labels) * Math.max(0, size - labels)) / Math.max(1, size - 1),
  );
  return Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0));
}
