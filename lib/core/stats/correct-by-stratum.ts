import { addStrata, correctByVerdict, FEWEST_LABELS, readStrata } from "./correct-by-verdict";
import type { CorrectedScore, Stratum } from "./correct-by-verdict";
import { declareUnavailable, type Unavailable } from "./unavailable";
import type { Confusion, VerdictCounts } from "./verifier-accuracy";

export interface AgentLabels extends VerdictCounts {
  readonly agent: string;
  readonly labels: Confusion;
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

export interface StratifiedCorrection {
  readonly agents: readonly {
    readonly agent: string;
    readonly score: CorrectedScore | LabelsNeeded | Unavailable;
  }[];
  /** `by-agent-and-verdict` where every agent has enough labels, else `by-verdict` where the draw allows it. */
  readonly all: CorrectedScore | LabelsNeeded | Unavailable;
}

/**
 * Corrects each agent by its own labels, verdict by verdict, and all agents by the sum of these strata weighted by trials. Strata
 * are per agent because agents differ in how far they fool a verifier. If an agent has too few labels, the sum uses verdicts
 * alone, provided labels were drawn across agents. A single agent is never corrected by the labels of others. All results are for
 * these trials only (`same-trials`).
 * @returns `no-values` for an agent, or all, without trials; `too-few-labels` with the labels needed where a verdict that some
 * trial has was labelled fewer than five times, unless these are all
 * @see `correctByVerdict`; Cochran, "Sampling Techniques" (1977), section 5A.9, poststratification
 */
export function correctByStratum(agents: readonly AgentLabels[], draw: LabelDraw): StratifiedCorrection {
  return {
    agents: agents.map((one) => {
      const score = correctByVerdict({ verdicts: one, ownLabels: one.labels });
      const isShort = score.kind === "unavailable" && score.reason === "too-few-labels";
      return { agent: one.agent, score: isShort ? declareNeeds(listNeeds(one.agent, one)) : score };
    }),
    all: correctAllAgents(agents, draw),
  };
}

/** Returns the score of all agents together, as in {@link correctByStratum}. */
export function correctAllAgents(
  agents: readonly AgentLabels[],
  draw: LabelDraw,
): CorrectedScore | LabelsNeeded | Unavailable {
  const together = sumAgents(agents);
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

function sumAgents(agents: readonly AgentLabels[]): Omit<AgentLabels, "agent"> {
  const sum = (read: (one: AgentLabels) => number) => agents.reduce((total, one) => total + read(one), 0);
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

function listNeeds(
  agent: string | null,
  { nPassed, nFailed, labels }: Omit<AgentLabels, "agent">,
): LabelNeed[] {
  const count = (verdict: LabelNeed["verdict"], nLabelled: number, nTrials: number): LabelNeed => ({
    agent,
    verdict,
    nLabelled,
    nMore: Math.min(FEWEST_LABELS, nTrials) - nLabelled,
  });
  return [
    count("passed", labels.bothPassed + labels.onlyVerifierPassed, nPassed),
    count("failed", labels.onlyHumanPassed + labels.bothFailed, nFailed),
  ].filter(({ nMore }) => nMore > 0);
}

function declareNeeds(needs: readonly LabelNeed[]): LabelsNeeded {
  return { kind: "unavailable", reason: "too-few-labels", needs };
}
