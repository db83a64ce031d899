import { IDENTITY_DASHES } from "./identity";

/**
 * One group as charts draw it. `identity` is the agent's on every page; where groups share it, each further one has a form
 * of its own ({@link selectForm}), so that form still tells them apart.
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

/** How a group is drawn, besides its colour. */
export interface GroupForm {
  /** Which of the markers, 0 to 6. */
  readonly marker: number;
  /** Whether the marker is an outline. */
  readonly isHollow: boolean;
  /** What stands in the outline, as a path on the marker's grid of 12 units; null for nothing. */
  readonly core: string | null;
  /** The line, as `stroke-dasharray`; undefined for a solid one. */
  readonly dash: string | undefined;
}

/** A dot, an upright, a level line, a plus and a cross around the middle of a marker. */
const CORES = ["M6 6h.01", "M6 4.6v2.8", "M4.6 6h2.8", "M6 4.6v2.8M4.6 6h2.8", "m5 5 2 2m0-2-2 2"] as const;

/** From the second group of an identity on; the first has the identity's own. */
const VARIANT_DASHES = ["7 2 1.5 2", "3.5 2", "1.5 1.5", "5 1.5", "10 2 2 2"] as const;

/** The form of a group: no two of one identity have the same up to six, as many as a chart has. */
export function selectForm({
  identity,
  variant,
  isPlain,
}: Pick<ChartGroup, "identity" | "variant" | "isPlain">): GroupForm {
  // A plain dot is the circle of identity 1.
  if (isPlain) return { marker: 1, isHollow: false, core: null, dash: undefined };
  // Identity 0 is hollow from the start.
  const nCore = identity === 0 ? variant : variant - 1;
  const dash = variant === 0 ? IDENTITY_DASHES[identity] : VARIANT_DASHES[Math.min(variant, 5) - 1];
  return {
    marker: identity,
    isHollow: identity === 0 || variant > 0,
    core: nCore < 1 ? null : (CORES[Math.min(nCore, CORES.length) - 1] ?? null),
    dash: dash === "" ? undefined : dash,
  };
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
 * Short names that tell groups apart: the agent, with its model, job or group key added only where it repeats. Where that
 * grows too long for a chart the models alone stand for the groups.
 */
export function nameGroups(groups: readonly NamedGroup[]): readonly string[] {
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
