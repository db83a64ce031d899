import "server-only";

import type { QueueStratum } from "@/lib/domain/review";
import { countAgents, type Member, nameMember } from "@/lib/labels/members";
import { type LabelSample, listLabels } from "@/lib/labels/sample";
import { countConfusion, drawSample, type LabelPlan, planLabels, type Unavailable } from "@/lib/stats";

/** Whether all labels of a sample were drawn without a look at agents, so that agents can be pooled; never without a draw. */
export function isAcrossAgents({ draws }: Pick<LabelSample, "draws">): boolean {
  return draws.length > 0 && draws.every(({ queue }) => queue.settings.method === "random");
}

/** The members that may be drawn next: those that nobody judged for a draw. */
function listOpen({ members, drawn }: LabelSample): readonly Member[] {
  return [...members.values()].filter((member) => {
    const standing = drawn.get(nameMember(member))?.standing ?? "todo";
    return standing === "todo";
  });
}

/** Where further labels of a sample say most, agents in the order of `countAgents`. */
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
 * Draws the next labels where the planner wants them: by chance within agent and verdict, among the trials that nobody judged
 * for a draw. What was drawn before is a simple random draw of its stratum, and so is the rest of a stratum without it; both
 * together therefore are one as well. Strata are stored with all their trials, from which every draw is one by itself.
 *
 * @param keyOf - names a trial for the draw, which depends on these names
 * @returns the trials in the order in which they are to be reviewed
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
