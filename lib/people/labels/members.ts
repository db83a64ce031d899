import { nameAgentModel } from "@/lib/core/charts/identity";
import { type QueueStratum, readVerdict } from "@/lib/core/domain/review";
import type { PopulationTrial } from "@/lib/store/tables";

export interface Member extends Pick<PopulationTrial, "jobRowId" | "key" | "family" | "agent" | "model"> {
  /** Key of its group, and of its part of the group with the same settings. */
  readonly groups: readonly string[];
  readonly agentModel: string;
  readonly hasPassed: boolean;
}

export type Population = ReadonlyMap<string, Member>;

export function nameMember({ jobRowId, key }: Pick<Member, "jobRowId" | "key">): string {
  return `${jobRowId} ${key}`;
}

export function toPopulation(trials: readonly PopulationTrial[]): Population {
  return new Map(
    trials.flatMap(({ jobRowId, key, family, agent, model, groupKey, setupKey, outcome }) => {
      const hasPassed = readVerdict(outcome);
      if (hasPassed === null) return [];
      const groups = setupKey === null ? [groupKey] : [groupKey, setupKey];
      const agentModel = nameAgentModel(agent, model);
      const member: Member = { jobRowId, key, family, agent, model, groups, agentModel, hasPassed };
      return [[nameMember(member), member] as const];
    }),
  );
}

export interface AgentCounts extends Pick<Member, "agent" | "model" | "agentModel"> {
  readonly nPassed: number;
  readonly nFailed: number;
}

export function countAgents(members: Iterable<Member>): readonly AgentCounts[] {
  return [...Map.groupBy(members, ({ agentModel }) => agentModel)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([agentModel, own]) => {
      const [first] = own;
      if (first === undefined) return [];
      const nPassed = own.filter(({ hasPassed }) => hasPassed).length;
      return [{ agentModel, agent: first.agent, model: first.model, nPassed, nFailed: own.length - nPassed }];
    });
}

/**
 * True if a draw was made from these trials, judging by their numbers: by agent and verdict, or in total if the draw ignored both.
 */
export function isDrawnFrom(
  strata: readonly QueueStratum[],
  population: Population,
  isBlindDraw: boolean,
): boolean {
  const drawn = new Map<string, number>();
  for (const { agent, model, hasPassed, nTrials } of strata) {
    const name = isBlindDraw ? "" : `${nameAgentModel(agent, model)} ${String(hasPassed)}`;
    if (nTrials > 0) drawn.set(name, (drawn.get(name) ?? 0) + nTrials);
  }
  const now = Map.groupBy(population.values(), ({ agentModel, hasPassed }) =>
    isBlindDraw ? "" : `${agentModel} ${String(hasPassed)}`,
  );
  return now.size === drawn.size && [...now].every(([name, own]) => drawn.get(name) === own.length);
}

/**
 * `only-not-passed`, `only-passed`: the list has one verdict, and the omitted trials have the other too. `by-result`: it has both,
 * selected by a property that correlates with the verdict, such as outcome, reward, cost, time or judgment.
 */
export type PartKind = "only-not-passed" | "only-passed" | "by-result";

/** A list filtered by outcome, whose labels cannot correct a score. */
export interface ListPart {
  readonly kind: PartKind;
  readonly nTrials: number;
  readonly nWhole: number;
}

/**
 * Null if the list omits nothing by outcome.
 *
 * @param whole - the list without filters by outcome, see `readWholeList`
 */
export function findPart(members: Population, whole: Population): ListPart | null {
  if (members.size >= whole.size) return null;
  return findPartOf([...members.values()], [...whole.values()]);
}

export function findPartOf(members: readonly Member[], whole: readonly Member[]): ListPart | null {
  if (members.length >= whole.length) return null;
  const size = { nTrials: members.length, nWhole: whole.length };
  const isOnly = (verdict: boolean) =>
    members.every(({ hasPassed }) => hasPassed === verdict) &&
    whole.some(({ hasPassed }) => hasPassed !== verdict);
  if (isOnly(false)) return { kind: "only-not-passed", ...size };
  return { kind: isOnly(true) ? "only-passed" : "by-result", ...size };
}
