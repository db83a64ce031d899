import { type AgentLabels, correctAllAgents, type LabelDraw } from "./correct-by-stratum";
import { FEWEST_LABELS } from "./correct-by-verdict";
import { allocateLabels, type LabelStratum } from "./label-allocation";
import { declareUnavailable, type Unavailable } from "./unavailable";
import type { VerdictCounts } from "./verifier-accuracy";

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

export interface LabelPlan {
  readonly kind: "computed";
  /** Computed from the current score, not expected. */
  readonly halfWidthNow: number | null;
  /** Expected, by ascending number of labels; the one at 0 is the current one. */
  readonly points: readonly PlanPoint[];
  /** The next labels, split by verdict, per agent in the given order. */
  readonly next: readonly (VerdictCounts & { readonly agent: string })[];
  /** Their sum; less than `next` where too few trials are open. */
  readonly nNext: number;
  readonly nOpen: number;
}

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
): LabelPlan | Unavailable {
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
    halfWidthNow: measure([], options.isAcrossAgents),
    points,
    next: agents.map(({ agent }, index) => ({
      agent,
      nPassed: next[2 * index] ?? 0,
      nFailed: next[2 * index + 1] ?? 0,
    })),
    nNext: next.reduce((sum, n) => sum + n, 0),
    nOpen,
  };
}

type OpenStratum = LabelStratum & { readonly nOpen: number };

function toStrata({ agent, nPassed, nFailed, labels, open }: PlannedAgent): [OpenStratum, OpenStratum] {
  const describe = (nTrials: number, nLabelled: number, nHumanPassed: number, nOpen?: number) => {
    const rest = Math.max(0, nTrials - nLabelled);
    return { name: agent, nTrials, nLabelled, nPassed: nHumanPassed, nOpen: Math.min(rest, nOpen ?? rest) };
  };
  const ofPassed = labels.bothPassed + labels.onlyVerifierPassed;
  const ofFailed = labels.onlyHumanPassed + labels.bothFailed;
  return [
    describe(nPassed, ofPassed, labels.bothPassed, open?.nPassed),
    describe(nFailed, ofFailed, labels.onlyHumanPassed, open?.nFailed),
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
