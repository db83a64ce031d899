import type { Identified } from "./identity";

/** One group as charts draw it; groups of one identity have variants, so that form still tells them apart. */
export interface ChartGroup extends Identified {
  /** Unique among the groups of a chart. */
  readonly id: string;
  readonly label: string;
}

/** Numbers the groups of each identity, in order. */
export function assignVariants(identities: readonly number[]): readonly number[] {
  const used = new Map<number, number>();
  return identities.map((identity) => {
    const variant = used.get(identity) ?? 0;
    used.set(identity, variant + 1);
    return variant;
  });
}

interface NamedGroup {
  readonly agent: string;
  readonly model: string | null;
  readonly job: string;
  readonly key: string;
  /** How its agents were set up, of a part of a group that is divided by that; empty for a whole group. */
  readonly setup: string;
}

/** Names longer than this do not fit beside a curve or over a column. */
const LONGEST_NAME = 22;

/**
 * Short names that tell groups apart: the job where all are of one agent, model and setup; else the agent, with model, job or
 * group key where it repeats; models alone where that is too long.
 */
export function nameGroups(groups: readonly NamedGroup[]): readonly string[] {
  const jobs = groups.map(({ job }) => job);
  const kinds = new Set(groups.map(({ agent, model, setup }) => JSON.stringify([agent, model, setup])));
  if (kinds.size === 1 && groups.length > 1 && new Set(jobs).size === jobs.length) return jobs;
  const forms: readonly ((group: NamedGroup) => string)[] = [
    (group) => group.agent,
    (group) => (group.setup === "" ? group.agent : `${group.agent} ${group.setup}`),
    (group) => (group.model === null ? group.agent : `${group.agent} ${group.model}`),
    (group) => [group.agent, group.model, group.setup].filter(Boolean).join(" "),
    (group) => `${group.agent} in ${group.job}`,
    (group) => [group.agent, group.model, "in", group.job].filter((part) => part !== null).join(" "),
    (group) => `${group.job}: ${group.key}`,
  ];
  const names = groups.map((group) => {
    const twins = groups.filter((other) => other.agent === group.agent);
    const form = forms.find((candidate) => new Set(twins.map(candidate)).size === twins.length);
    return (form ?? ((one) => `${one.job}: ${one.key}`))(group);
  });
  const models = groups.flatMap(({ model }) => model ?? []);
  const isTooLong = names.some((name) => name.length > LONGEST_NAME);
  return isTooLong && new Set(models).size === groups.length && groups.length > 2 ? models : names;
}
