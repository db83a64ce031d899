/**
 * One group as charts draw it. `identity` is the agent's on every page; where two groups share it, the second is drawn
 * hollow (`variant` 1) and the third in outline with another dash (`variant` 2), so that form still tells them apart.
 */
export interface ChartGroup {
  /** Unique among the groups of a chart. */
  readonly id: string;
  readonly label: string;
  /** 0 to 6, see identity.ts. */
  readonly identity: number;
  /** 0 for the first group of an identity, counting up. */
  readonly variant: number;
  /** A quantity that is no agent's, such as a difference: a plain dot in ink. */
  readonly isPlain?: true;
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
}

/** Names longer than this do not fit beside a curve or over a column. */
const LONGEST_NAME = 22;

/**
 * Short names that tell groups apart: the agent, with its model, job or group key added only where it repeats. Where that
 * grows too long for a chart the models alone stand for the groups.
 */
export function nameGroups(groups: readonly NamedGroup[]): readonly string[] {
  const forms: readonly ((group: NamedGroup) => string)[] = [
    (group) => group.agent,
    (group) => (group.model === null ? group.agent : `${group.agent} ${group.model}`),
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
