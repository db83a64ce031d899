import { formatCount } from "@/lib/core/format/number";

/** Pixels from one agent to the next. */
const STEP = 9;

/** A page has the names twice for each strip. */
const MOST_NAME = 80;

/** One dot per agent in the order of `agents`, darker for more trials. */
export function WhoStrip({ counts, agents }: { counts: readonly number[]; agents: readonly string[] }) {
  const names = agents.map((name) => name.slice(0, MOST_NAME).toWellFormed());
  const said = counts.flatMap((n, at) => (n === 0 ? [] : `${names[at] ?? ""} ${formatCount(n)}`));
  return (
    <svg className="who" width={agents.length * STEP} height={8} role="img" aria-label={said.join(", ")}>
      {counts.map((n, at) => (
        <circle
          key={at}
          cx={at * STEP + 4}
          cy={4}
          r={n === 0 ? 2.5 : 3}
          className={n === 0 ? undefined : `who-${String(Math.min(3, n))}`}
        >
          <title>{`${names[at] ?? ""}: ${formatCount(n)}`}</title>
        </circle>
      ))}
    </svg>
  );
}

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
