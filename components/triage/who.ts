/** Agents of every strip on a page, most failures first. If there are more, the last position sums the rest. */
export interface Who {
  readonly names: readonly string[];
  readonly nAlone: number;
}

const MOST_DOTS = 12;

/** @param names - of agents, most failures first */
export function listWho(names: readonly string[]): Who {
  if (names.length <= MOST_DOTS) return { names, nAlone: names.length };
  const nAlone = MOST_DOTS - 1;
  return { names: [...names.slice(0, nAlone), `${String(names.length - nAlone)} other agents`], nAlone };
}

export function countWho(byAgent: ReadonlyMap<string, number>, { names, nAlone }: Who): readonly number[] {
  const alone = names.slice(0, nAlone).map((name) => byAgent.get(name) ?? 0);
  if (names.length === nAlone) return alone;
  const total = [...byAgent.values()].reduce((sum, n) => sum + n, 0);
  return [...alone, alone.reduce((rest, n) => rest - n, total)];
}
