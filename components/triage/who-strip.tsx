import { formatCount } from "@/lib/core/format/number";

/** Pixels from one agent to the next. */
const STEP = 9;

/** One dot per agent in the order of `agents`, darker for more trials. */
export function WhoStrip({ counts, agents }: { counts: readonly number[]; agents: readonly string[] }) {
  const said = counts.flatMap((n, at) => (n === 0 ? [] : `${agents[at] ?? ""} ${formatCount(n)}`));
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
          <title>{`${agents[at] ?? ""}: ${formatCount(n)}`}</title>
        </circle>
      ))}
    </svg>
  );
}
