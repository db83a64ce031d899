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

/** More groups than this are named by their models, where agent and model together would not fit. */
const MOST_LONG_NAMES = 3;

/** Short names that tell groups apart: the agent, with its model, job or group key added only where names repeat. */
export function nameGroups(
  groups: readonly {
    readonly agent: string;
    readonly model: string | null;
    readonly job: string;
    readonly key: string;
  }[],
): readonly string[] {
  const byModel = groups.length > MOST_LONG_NAMES && groups.every((group) => group.model !== null);
  const candidates: readonly ((group: (typeof groups)[number]) => string)[] = [
    (group) => group.agent,
    ...(byModel ? [(group: (typeof groups)[number]) => group.model ?? group.agent] : []),
    (group) => (group.model === null ? group.agent : `${group.agent} ${group.model}`),
    (group) => `${group.agent} in ${group.job}`,
    (group) => [group.agent, group.model, "in", group.job].filter((part) => part !== null).join(" "),
  ];
  const name = candidates.find((candidate) => new Set(groups.map(candidate)).size === groups.length);
  return groups.map(name ?? ((group) => `${group.job}: ${group.key}`));
}
