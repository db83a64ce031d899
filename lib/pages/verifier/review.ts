import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import type { QueueStratum } from "@/lib/core/domain/review";
import { sumBy } from "@/lib/core/domain/sum-by";
import {
  countConfusion,
  drawSample,
  type LabelPlan,
  planLabels,
  type Unavailable,
  type AccuracyRate,
  computeVerifierAccuracy,
  type Confusion,
  correctByStratum,
  countMissingLabels,
  type MissingLabels,
  type StratifiedCorrection,
  type StratumCounts,
  type VerdictCounts,
  type VerifierAccuracy,
} from "@/lib/core/stats";
import {
  countAgents,
  type Member,
  nameMember,
  type AgentCounts,
  findPart,
  findPartOf,
  type ListPart,
} from "@/lib/people/labels/draws";
import { type LabelSample, listLabels, type SampleLabel } from "@/lib/people/labels/sample";

/** True if all draws ignored agents, so that agents can be pooled; false without a draw. */
function isAcrossAgents({ draws }: Pick<LabelSample, "draws">): boolean {
  return draws.length > 0 && draws.every(({ queue }) => queue.settings.method === "random");
}

function listOpen({ members, drawn }: LabelSample): readonly Member[] {
  const isOpen = (name: string) => (drawn.get(name)?.standing ?? "todo") === "todo";
  return [...members.values()].filter((member) => isOpen(nameMember(member)));
}

/** Plans where further labels of a sample tell most, agents in the order of `countAgents`. */
function planSample(
  sample: LabelSample,
  { budgets, next }: { readonly budgets: readonly number[]; readonly next: number },
): LabelPlan | Unavailable {
  const byAgent = Map.groupBy(listLabels(sample), ({ stratum }) => stratum);
  const open = new Map(countAgents(listOpen(sample)).map((count) => [count.agentModel, count]));
  return planLabels(
    countAgents(sample.members.values()).map(({ agentModel: agent, nPassed, nFailed }) => ({
      agent,
      nPassed,
      nFailed,
      labels: countConfusion(byAgent.get(agent) ?? []),
      open: open.get(agent) ?? { nPassed: 0, nFailed: 0 },
    })),
    { isAcrossAgents: isAcrossAgents(sample), budgets, next },
  );
}

/**
 * Draws the next labels at random within agent and verdict, among trials not reviewed for a draw. Earlier labels are a simple random
 * sample of their stratum. The rest of the stratum is one too, so both together are one as well. Strata are stored with all their
 * trials, because each draw alone is a simple random sample of them.
 * @param keyOf - names a trial; the draw depends on these names
 * @returns trials in review order
 */
export function drawPlanned(
  sample: LabelSample,
  { size, seed, keyOf }: { readonly size: number; readonly seed: number; keyOf: (member: Member) => string },
) {
  const plan = planSample(sample, { budgets: [], next: size });
  const next = plan.kind === "computed" ? plan.next : [];
  const sizes = new Map(
    next.flatMap(({ agent, nPassed, nFailed }) => [
      [nameStratum(agent, true), nPassed] as const,
      [nameStratum(agent, false), nFailed] as const,
    ]),
  );
  const open = new Map(listOpen(sample).map((member) => [keyOf(member), member]));
  const items = Array.from(open, ([key, member]) => ({
    key,
    stratum: nameStratum(member.agentModel, member.hasPassed),
    cluster: null,
  }));
  const { keys } = drawSample(items, { method: "planned", sizes, seed });
  const drawn = keys.flatMap((key) => open.get(key) ?? []);
  return { drawn, strata: listStrata(sample, drawn) };
}

function nameStratum(agentModel: string, hasPassed: boolean): string {
  return `${agentModel} ${hasPassed ? "passed" : "failed"}`;
}

function listStrata({ members }: LabelSample, drawn: readonly Member[]): readonly QueueStratum[] {
  return countAgents(members.values()).flatMap(({ agent, model, agentModel, nPassed, nFailed }) =>
    [true, false].flatMap((hasPassed) => {
      const nTrials = hasPassed ? nPassed : nFailed;
      const nDrawn = drawn.filter(
        (one) => one.agentModel === agentModel && one.hasPassed === hasPassed,
      ).length;
      return nTrials === 0 ? [] : [{ agent, model, hasPassed, nTrials, nDrawn }];
    }),
  );
}

export const NEXT_LABELS = 20;
const MOST_PLANNED = 60;
const BUDGETS = Array.from({ length: MOST_PLANNED + 1 }, (_, n) => n);

export type Correction = StratifiedCorrection["all"];

/** Trials chosen by result give no score, because those left out may have the other verdict. */
const BY_RESULT = { kind: "unavailable", reason: "chosen-by-result" } as const satisfies Unavailable;

export interface RatesRow {
  readonly id: string;
  readonly verdicts: VerdictCounts;
  readonly labels: Confusion;
  readonly missing: MissingLabels;
  /** Trials that the list leaves out by result; null if none. */
  readonly part: ListPart | null;
  readonly accuracy: VerifierAccuracy | Unavailable;
}

/** Each rate with its figure and the verdicts of the verifier that it looks at. */
export const RATES = {
  tpr: { figure: "truePositiveRate", verdicts: ["nPassed", "nFailed"] },
  tnr: { figure: "trueNegativeRate", verdicts: ["nPassed", "nFailed"] },
  ppv: { figure: "positivePredictiveValue", verdicts: ["nPassed"] },
  npv: { figure: "negativePredictiveValue", verdicts: ["nFailed"] },
} as const;

export type RateName = keyof typeof RATES;

export const RATE_NAMES = Object.keys(RATES) as readonly RateName[]; // Keys of the object itself.

/**
 * Returns a rate of a row; unavailable if a verdict that it needs has too few labels. Trials chosen by result have no TPR and TNR,
 * because these need labels of the other verdict.
 */
export function readRate({ accuracy, missing, part }: RatesRow, name: RateName): AccuracyRate | Unavailable {
  if (part !== null && (name === "tpr" || name === "tnr")) return BY_RESULT;
  const { figure, verdicts } = RATES[name];
  if (verdicts.some((verdict) => missing[verdict] > 0))
    return { kind: "unavailable", reason: "too-few-labels" };
  return accuracy.kind === "computed" ? accuracy[figure] : accuracy;
}

export type VerifierReview = ReturnType<typeof reviewVerifier>;
export type AgentReview = VerifierReview["agents"][number];
export type StratumProgress = AgentReview["passed"];

/**
 * Computes rates and corrected scores of the verifier from a sample, corrected by agent and verdict. Trials chosen by result give
 * no score and no plan.
 */
export function reviewVerifier(sample: LabelSample) {
  const { members, whole, drawn } = sample;
  const part = findPart(members, whole);
  const wholeOf = Map.groupBy(whole.values(), ({ agentModel }) => agentModel);
  const membersOf = Map.groupBy(members.values(), ({ agentModel }) => agentModel);
  const partOf = (agent: string) => findPartOf(membersOf.get(agent) ?? [], wholeOf.get(agent) ?? []);
  const labels = listLabels(sample);
  const counts = countAgents(members.values());
  const byAgent = Map.groupBy(labels, ({ stratum }) => stratum);
  const labelled = counts.map(({ agentModel: agent, nPassed, nFailed }) => {
    return { agent, nPassed, nFailed, labels: countConfusion(byAgent.get(agent) ?? []) };
  });
  const corrected = correctByStratum(labelled, { isAcrossAgents: isAcrossAgents(sample) });
  const plan = part !== null ? BY_RESULT : planSample(sample, { budgets: BUDGETS, next: NEXT_LABELS });
  const drawnOf = Map.groupBy(drawn.values(), ({ member }) => member.agentModel);
  return {
    nTrials: members.size,
    nJobs: new Set([...members.values()].map(({ jobRowId }) => jobRowId)).size,
    nDrawn: drawn.size,
    nLabels: labels.length,
    nDecided: [...drawn.values()].filter(
      ({ isDecided, standing }) => isDecided && (standing === "passed" || standing === "failed"),
    ).length,
    open: sumBy(drawn.values(), ({ standing }) => standing),
    isAcrossAgents: isAcrossAgents(sample),
    part,
    all: { ...rate("", labels, counts, []), part },
    score: part === null ? corrected.all : BY_RESULT,
    agents: counts.map((count, index) => {
      const own = byAgent.get(count.agentModel) ?? [];
      const partOfAgent = partOf(count.agentModel);
      const next = plan.kind === "computed" ? plan.next[index] : undefined;
      const progress = (hasPassed: boolean) => ({
        nTrials: hasPassed ? count.nPassed : count.nFailed,
        nDrawn: (drawnOf.get(count.agentModel) ?? []).filter(({ member }) => member.hasPassed === hasPassed)
          .length,
        nLabels: own.filter(({ verifier }) => verifier === hasPassed).length,
        nNext: (hasPassed ? next?.nPassed : next?.nFailed) ?? 0,
      });
      const { agent, model, agentModel } = count;
      return {
        ...{ agent, model, agentModel },
        rates: { ...rate(count.agentModel, own, [count], []), part: partOfAgent },
        score:
          partOfAgent === null
            ? (corrected.agents[index]?.score ?? { kind: "unavailable", reason: "no-values" })
            : BY_RESULT,
        passed: progress(true),
        failed: progress(false),
      };
    }),
    jobs: rateDomains(sample, labels, ({ jobRowId }) => String(jobRowId)),
    families: rateDomains(sample, labels, ({ family }) => family),
    plan,
  };
}

/** Computes rates of parts that draws ignored, most trials first. The draw's labels outside a part tell its weights. */
function rateDomains(
  { members, whole }: LabelSample,
  labels: readonly SampleLabel[],
  keyOf: (member: Member) => string,
) {
  const own = Map.groupBy(labels, ({ member }) => keyOf(member));
  const counts = countAgents(members.values());
  const wholeOf = members === whole ? null : Map.groupBy(whole.values(), keyOf);
  const rateDomain = (key: string, ofDomain: readonly Member[]): RatesRow => {
    const ownLabels = own.get(key) ?? [];
    const names = new Set(ofDomain.map(({ agentModel }) => agentModel));
    const outside = labels.filter(({ member, stratum }) => keyOf(member) !== key && names.has(stratum));
    const strata = counts.filter(({ agentModel }) => names.has(agentModel));
    const part = wholeOf === null ? null : findPartOf(ofDomain, wholeOf.get(key) ?? []);
    return { ...rate(key, ownLabels, strata, outside), ...needOf(ofDomain, ownLabels), part };
  };
  return [...Map.groupBy(members.values(), keyOf)]
    .toSorted(([a, ofA], [b, ofB]) => ofB.length - ofA.length || compareNames(a, b))
    .map(([id, ofDomain]) => ({
      id,
      /** Lazy, since pages show few of many rows. */
      rate: () => rateDomain(id, ofDomain),
    }));
}

function needOf(members: readonly Member[], labels: readonly SampleLabel[]) {
  const nPassed = members.filter(({ hasPassed }) => hasPassed).length;
  const verdicts = { nPassed, nFailed: members.length - nPassed };
  return { verdicts, missing: countMissingLabels(verdicts, countConfusion(labels)) };
}

function rate(
  id: string,
  labels: readonly SampleLabel[],
  counts: readonly AgentCounts[],
  outside: readonly SampleLabel[],
): Omit<RatesRow, "part"> {
  const population = counts.map(({ agentModel: stratum, nPassed, nFailed }): StratumCounts => ({
    stratum,
    nPassed,
    nFailed,
  }));
  const verdicts = {
    nPassed: counts.reduce((sum, { nPassed }) => sum + nPassed, 0),
    nFailed: counts.reduce((sum, { nFailed }) => sum + nFailed, 0),
  };
  const confusion = countConfusion(labels);
  return {
    id,
    verdicts,
    labels: confusion,
    missing: countMissingLabels(verdicts, confusion),
    accuracy: computeVerifierAccuracy(labels, { design: "by-stratum", population, outside }),
  };
}
