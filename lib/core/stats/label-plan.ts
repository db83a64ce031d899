import { type AgentLabels, FEWEST_LABELS, type LabelDraw, correctAllAgents } from "./corrected-score";
import { type Computed, declareUnavailable } from "./unavailable";
import { type VerdictCounts, countByVerdict } from "./verifier-accuracy";

export interface PlannedAgent extends AgentLabels {
  /** Trials of either verdict still open for labelling, such as the rest of a queue; default: all without a label. */
  readonly open?: VerdictCounts;
}

/** Half-widths of the 95 % interval of all agents' corrected score. */
export interface PlanPoint {
  readonly nLabels: number;
  /** For labels allocated where they reduce the variance most; null where the score would be refused. */
  readonly halfWidth: number | null;
  /** For labels in any order: to each stratum in proportion to its open trials. */
  readonly halfWidthAnyOrder: number | null;
}

export type LabelPlan = Computed<typeof planLabels>;

/**
 * Computes the interval of all agents' corrected score after more labels, and the best allocation of the next ones. Agents and
 * verdicts with too few labels come first, then Neyman's allocation. The intervals are those of `correctByStratum` with expected
 * future labels. In each stratum their pass rate is that of its labels so far, with half a label of each kind added. Real labels
 * scatter around that.
 * @param options.budgets - numbers of further labels, whole; those beyond the open trials are omitted
 * @param options.next - labels to allocate by agent and verdict
 * @param options.isAcrossAgents - as for `correctByStratum`; false after labels are allocated where they reduce the variance most
 * @returns `no-values` without trials
 * @remarks O(strata x (largest budget + next))
 */
export function planLabels(
  agents: readonly PlannedAgent[],
  options: LabelDraw & { readonly budgets: readonly number[]; readonly next: number },
) {
  const strata = agents.flatMap((one) => toStrata(one));
  if (strata.every(({ nTrials }) => nTrials === 0)) return declareUnavailable("no-values");
  const nOpen = strata.reduce((sum, stratum) => sum + stratum.nOpen, 0);
  const measure = (more: readonly number[], isAcrossAgents: boolean) => {
    const score = correctAllAgents(
      agents.map((one, index) => addExpected(one, more[2 * index] ?? 0, more[2 * index + 1] ?? 0)),
      { isAcrossAgents },
    );
    return score.kind === "computed" ? (score.high - score.low) / 2 : null;
  };
  const budgets = [...new Set(options.budgets)].filter((n) => n >= 0 && n <= nOpen).toSorted((a, b) => a - b);
  let given: readonly number[] = strata.map(() => 0);
  let nGiven = 0;
  const points = budgets.map((nLabels): PlanPoint => {
    given = allocate(strata, given, nLabels - nGiven);
    nGiven = nLabels;
    const even = strata.map((stratum) => (nOpen === 0 ? 0 : (nLabels * stratum.nOpen) / nOpen));
    return {
      nLabels,
      halfWidth: measure(given, options.isAcrossAgents && nLabels === 0),
      halfWidthAnyOrder: measure(even, options.isAcrossAgents),
    };
  });
  const next = allocate(
    strata,
    strata.map(() => 0),
    Math.min(options.next, nOpen),
  );
  return {
    kind: "computed",
    /** Computed from the current score, not expected. */
    halfWidthNow: measure([], options.isAcrossAgents),
    /** Expected, by ascending number of labels; the one at 0 is the current one. */
    points,
    /** The next labels, split by verdict, per agent in the given order. */
    next: agents.map(({ agent }, index) => ({
      agent,
      nPassed: next[2 * index] ?? 0,
      nFailed: next[2 * index + 1] ?? 0,
    })),
    /** Their sum; less than `next` where too few trials are open. */
    nNext: next.reduce((sum, n) => sum + n, 0),
    nOpen,
  } as const;
}

type OpenStratum = LabelStratum & { readonly nOpen: number };

function toStrata({ agent, nPassed, nFailed, labels, open }: PlannedAgent): [OpenStratum, OpenStratum] {
  const describe = (nTrials: number, nLabelled: number, nHumanPassed: number, nOpen?: number) => {
    const rest = Math.max(0, nTrials - nLabelled);
    return { name: agent, nTrials, nLabelled, nPassed: nHumanPassed, nOpen: Math.min(rest, nOpen ?? rest) };
  };
  const labelled = countByVerdict(labels);
  return [
    describe(nPassed, labelled.nPassed, labels.bothPassed, open?.nPassed),
    describe(nFailed, labelled.nFailed, labels.onlyHumanPassed, open?.nFailed),
  ];
}

function allocate(strata: readonly OpenStratum[], given: readonly number[], budget: number): number[] {
  const now = strata.map((stratum, index): OpenStratum => {
    const more = given[index] ?? 0;
    return {
      ...stratum,
      nLabelled: stratum.nLabelled + more,
      nPassed: stratum.nPassed + more * expectPass(stratum.nPassed, stratum.nLabelled),
      nOpen: stratum.nOpen - more,
    };
  });
  const found = allocateLabels(now, budget, FEWEST_LABELS);
  const next = found.kind === "computed" ? found.strata : [];
  return strata.map((_, index) => (given[index] ?? 0) + (next[index]?.next ?? 0));
}

function expectPass(nPassed: number, nLabelled: number): number {
  return (nPassed + 0.5) / (nLabelled + 1);
}

function addExpected(one: AgentLabels, ofPassed: number, ofFailed: number): AgentLabels {
  const { bothPassed, onlyVerifierPassed, onlyHumanPassed, bothFailed } = one.labels;
  const passed = ofPassed * expectPass(bothPassed, bothPassed + onlyVerifierPassed);
  const failed = ofFailed * expectPass(onlyHumanPassed, onlyHumanPassed + bothFailed);
  return {
    ...one,
    labels: {
      bothPassed: bothPassed + passed,
      onlyVerifierPassed: onlyVerifierPassed + ofPassed - passed,
      onlyHumanPassed: onlyHumanPassed + failed,
      bothFailed: bothFailed + ofFailed - failed,
    },
  };
}

/** Trials from which labels are drawn together, such as those that the verifier passed. */
export interface LabelStratum {
  readonly name: string;
  readonly nTrials: number;
  readonly nLabelled: number;
  readonly nPassed: number;
  /** Trials still open for labelling, such as the rest of a queue; default: all without a label. */
  readonly nOpen?: number;
}

export type LabelAllocation = Computed<typeof allocateLabels>;

/**
 * Gives each of the next labels to the stratum where it reduces the variance of the corrected score most. Strata with fewer labels
 * than `fewest` come first, one after the other. Every stratum gets half a label of each kind added.
 * @param fewest - labels that a stratum needs, at most its trials; at least 1
 * @returns `no-values` without trials
 * @see Neyman, "On the Two Different Aspects of the Representative Method" (1934); Wright, "The Equivalence of Neyman Optimum
 * Allocation and Equal Proportions" (2012)
 */
export function allocateLabels(strata: readonly LabelStratum[], budget: number, fewest = 1) {
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
    /** Standard error of these trials' score, now and after, half labels included; null where a stratum has no label. */
    standardErrorNow,
    standardErrorAfter: computeStandardError(plans),
  } as const;
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
