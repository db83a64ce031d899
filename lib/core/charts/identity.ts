/** Counts without a common factor, so that pairs of a colour and a marker repeat as late as possible. */
const N_COLOURS = 6;
const N_MARKERS = 11;

const N_IDENTITIES = N_COLOURS * N_MARKERS;

/** Returns the name under which an agent and its model keep one identity. */
export function nameAgentModel(agent: string, model: string | null): string {
  return `${agent}\u0000${model ?? ""}`;
}

/** Numbers agent-model pairs from 1 to 66 by first appearance, then again from 1; `oracle` and `nop` are always 0. */
export function assignIdentities(
  agentModels: readonly { readonly agent: string; readonly model: string | null }[],
): ReadonlyMap<string, number> {
  const identities = new Map<string, number>();
  let assigned = 0;
  for (const { agent, model } of agentModels) {
    const name = nameAgentModel(agent, model);
    if (identities.has(name)) continue;
    const isYardstick = agent === "oracle" || agent === "nop";
    identities.set(name, isYardstick ? 0 : (assigned++ % N_IDENTITIES) + 1);
  }
  return identities;
}

export interface Identified {
  /** 0 to 66, see {@link assignIdentities}. */
  readonly identity: number;
  readonly variant?: number | undefined;
  readonly isInk?: boolean;
  /** A quantity of no agent, such as a difference: a plain dot in ink. */
  readonly isPlain?: boolean;
}

const DASHES = ["", "6 3", "2 2.5", "9 3 2 3", "4 2"] as const;

const VARIANT_DASHES = ["7 2 1.5 2", "3.5 2", "1.5 1.5", "5 1.5", "10 2 2 2"] as const;

const CORES = ["M6 6h.01", "M6 4.6v2.8", "M4.6 6h2.8", "M6 4.6v2.8M4.6 6h2.8", "m5 5 2 2m0-2-2 2"] as const;

/** Identities 1 to 66 have different pairs of colour and marker. Up to six groups of one identity differ. */
export function selectForm({ identity, variant = 0, isInk = false, isPlain = false }: Identified) {
  if (isPlain) return { colour: 0, marker: 1, isHollow: false, core: null, dash: "" };
  const isYardstick = identity === 0;
  const place = Math.max(0, identity - 1);
  const nCore = isYardstick ? variant : variant - 1;
  const dash = variant === 0 ? DASHES[place % DASHES.length] : VARIANT_DASHES[Math.min(variant, 5) - 1];
  return {
    colour: isYardstick || isInk ? 0 : (place % N_COLOURS) + 1,
    /** 1 to 11, or 0 for the marker of `oracle` and `nop`. */
    marker: isYardstick ? 0 : (place % N_MARKERS) + 1,
    isHollow: isYardstick || variant > 0,
    core: nCore < 1 ? null : (CORES[Math.min(nCore, CORES.length) - 1] ?? null),
    dash: dash ?? "",
  };
}
