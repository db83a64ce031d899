import type { Identified } from "./identity";
import { dropShared } from "./text-fit";

export interface ChartGroup extends Identified {
  readonly id: string;
  readonly label: string;
  readonly fullName?: string;
}

/** Returns what a name and marker need; the rest is not for the browser. */
export function pickChartGroup({ id, label, fullName, identity, variant, isInk }: ChartGroup): ChartGroup {
  return {
    id,
    label,
    identity,
    ...(variant === undefined || variant === 0 ? {} : { variant }),
    ...(fullName === undefined ? {} : { fullName }),
    ...(isInk === true ? { isInk } : {}),
  };
}

/** Numbers the groups of each identity by id, so that the order of groups changes no form. */
export function assignVariants(groups: readonly Pick<ChartGroup, "id" | "identity">[]): readonly number[] {
  const before = (id: string, other: string) => (id < other ? 1 : 0);
  return groups.map(({ id, identity }) =>
    groups.reduce((count, one) => count + (one.identity === identity ? before(one.id, id) : 0), 0),
  );
}

interface NamedGroup {
  readonly agent: string;
  readonly model: string | null;
  readonly job: string;
  readonly key: string;
  readonly setup: string;
}

/** Longer names do not fit next to a curve or over a column. */
const LONGEST_NAME = 22;

/** {@link nameGroupsInFull}, where long names omit the words that all begin or end with. The rest is never cut. */
export function nameGroups(groups: readonly NamedGroup[]): readonly string[] {
  return dropShared(nameGroupsInFull(groups), LONGEST_NAME);
}

/**
 * Returns distinct names: the job if all have one agent, model and setup; else the agent, with model, job or group key where it
 * repeats, or models alone if that is too long.
 */
export function nameGroupsInFull(groups: readonly NamedGroup[]): readonly string[] {
  const jobs = groups.map(({ job }) => job);
  const kinds = new Set(groups.map(({ agent, model, setup }) => JSON.stringify([agent, model, setup])));
  if (kinds.size === 1 && groups.length > 1 && new Set(jobs).size === jobs.length) return jobs;
  const forms: readonly ((group: NamedGroup) => string)[] = [
    (group) => group.agent,
    (group) => (group.model === null ? group.agent : `${group.agent} ${group.model}`),
    (group) => (group.setup === "" ? group.agent : `${group.agent} ${group.setup}`),
    (group) => [group.agent, group.model, group.setup].filter(Boolean).join(" "),
    (group) => `${group.agent} in ${group.job}`,
    (group) => [group.agent, group.model, "in", group.job].filter((part) => part !== null).join(" "),
    (group) => `${group.job}: ${group.key}`,
  ];
  const formOf = new Map(
    Array.from(
      Map.groupBy(groups, ({ agent }) => agent),
      ([agent, twins]) => {
        const form = forms.find((candidate) => new Set(twins.map(candidate)).size === twins.length);
        return [agent, form];
      },
    ),
  );
  const names = groups.map((group) => formOf.get(group.agent)?.(group) ?? `${group.job}: ${group.key}`);
  const models = groups.flatMap(({ model }) => model ?? []);
  const isTooLong = names.some((name) => name.length > LONGEST_NAME);
  return isTooLong && new Set(models).size === groups.length && groups.length > 2 ? models : names;
}
