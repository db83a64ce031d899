/** Colours, and as many markers: each agent and model has one of both, so that colour never carries identity alone. */
const N_FORMS = 6;

/** Pairs of a colour and a marker; further agents start over. */
const N_IDENTITIES = N_FORMS * N_FORMS;

/** The name under which an agent and its model keep one identity. */
export function nameContender(agent: string, model: string | null): string {
  return `${agent}\u0000${model ?? ""}`;
}

/**
 * Gives each contender an identity from 1 to 36 that is the same on every page, in order of first appearance, starting over
 * after that. `oracle` and `nop` are always 0, since they are yardsticks and not contenders.
 *
 * @param contenders - agent and model pairs, oldest first, repeats allowed
 */
export function assignIdentities(
  contenders: readonly { readonly agent: string; readonly model: string | null }[],
): ReadonlyMap<string, number> {
  const identities = new Map<string, number>();
  let assigned = 0;
  for (const { agent, model } of contenders) {
    const name = nameContender(agent, model);
    if (identities.has(name)) continue;
    const isYardstick = agent === "oracle" || agent === "nop";
    identities.set(name, isYardstick ? 0 : (assigned++ % N_IDENTITIES) + 1);
  }
  return identities;
}

/** What something is drawn for. */
export interface Identified {
  /** 0 to 36, see {@link assignIdentities}. */
  readonly identity: number;
  /** 0 for the first group of an identity in a chart, counting up. */
  readonly variant?: number | undefined;
  /** A quantity that is no agent's, such as a difference: a plain dot in ink. */
  readonly isPlain?: boolean;
}

/** How a group is drawn. */
export interface GroupForm {
  /** 1 to 6, or 0 for ink. */
  readonly colour: number;
  /** Which of the markers, 0 to 6. */
  readonly marker: number;
  /** Whether the marker is an outline. */
  readonly isHollow: boolean;
  /** What stands in the outline, as a path on the marker's grid of 12 units; null for nothing. */
  readonly core: string | null;
  /** Lengths of dashes and gaps of its line, empty for a solid one. */
  readonly dash: string;
}

/** By marker. */
const DASHES = ["", "", "6 3", "2 2.5", "9 3 2 3", "4 2", "1 3"] as const;

/** From the second group of an identity on; the first has the marker's own. */
const VARIANT_DASHES = ["7 2 1.5 2", "3.5 2", "1.5 1.5", "5 1.5", "10 2 2 2"] as const;

/** A dot, an upright, a level line, a plus and a cross around the middle of a marker. */
const CORES = ["M6 6h.01", "M6 4.6v2.8", "M4.6 6h2.8", "M6 4.6v2.8M4.6 6h2.8", "m5 5 2 2m0-2-2 2"] as const;

/**
 * The form of a group. Identities 1 to 36 have different pairs of colour and marker, and neighbours differ in both. Groups of one
 * identity differ up to six, as many as a chart has.
 */
export function selectForm({ identity, variant = 0, isPlain = false }: Identified): GroupForm {
  if (isPlain) return { colour: 0, marker: 1, isHollow: false, core: null, dash: "" };
  const place = identity - 1;
  const colour = identity === 0 ? 0 : (place % N_FORMS) + 1;
  // Each round of colours begins with the next marker.
  const marker = identity === 0 ? 0 : ((place + Math.floor(place / N_FORMS)) % N_FORMS) + 1;
  // Identity 0 is hollow from the start.
  const nCore = identity === 0 ? variant : variant - 1;
  return {
    colour,
    marker,
    isHollow: identity === 0 || variant > 0,
    core: nCore < 1 ? null : (CORES[Math.min(nCore, CORES.length) - 1] ?? null),
    dash: (variant === 0 ? DASHES[marker] : VARIANT_DASHES[Math.min(variant, 5) - 1]) ?? "",
  };
}
