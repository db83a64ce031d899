import "server-only";
import type { QueueStratum } from "@/lib/core/domain/review";
import { countConfusion, drawSample, type LabelPlan, planLabels, type Unavailable } from "@/lib/core/stats";
import { countAgents, type Member, nameMember } from "@/lib/people/labels/members";
import { type LabelSample, listLabels } from "@/lib/people/labels/sample";

/** True if all draws ignored agents, so that agents can be pooled; false without a draw. */
export function isAcrossAgents({ draws }: Pick<LabelSample, "draws">): boolean {
  return draws.length > 0 && draws.every(({ queue }) => queue.settings.method === "random");
}

function listOpen({ members, drawn }: LabelSample): readonly Member[] {
  return [...members.values()].filter((member) => {
    const standing = drawn.get(nameMember(member))?.standing ?? "todo";
    return standing === "todo";
  });
}

/** Plans where further labels of a sample tell most, agents in the order of `countAgents`. */
export function planSample(
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
): { readonly drawn: readonly Member[]; readonly strata: readonly QueueStratum[] } {
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
