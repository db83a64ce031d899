/** Number of identity colours; each comes with a marker and a dash, so that colour never carries identity alone. */
const IDENTITY_COUNT = 6;

/** Dash of each identity's line, as `stroke-dasharray`; index 0 is the hollow marker of oracle and nop. */
export const IDENTITY_DASHES: readonly string[] = ["", "", "6 3", "2 2.5", "9 3 2 3", "4 2", "1 3"];

/** The name under which an agent and its model keep one identity. */
export function nameContender(agent: string, model: string | null): string {
  return `${agent}\u0000${model ?? ""}`;
}

/**
 * Gives each contender an identity from 1 to 6 that is the same on every page: in order of first appearance, starting
 * over after six. `oracle` and `nop` are always 0, since they are yardsticks and not contenders.
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
    identities.set(name, isYardstick ? 0 : (assigned++ % IDENTITY_COUNT) + 1);
  }
  return identities;
}
