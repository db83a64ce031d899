import type { Outcome } from "@/lib/core/domain/trial";
import { formatCount } from "@/lib/core/format/number";

import "./outcome-bar.css";

/** In this order everywhere. Errored and cancelled trials are one part, as in the lists of jobs. */
const PARTS = [
  { part: "passed", words: "passed", outcomes: ["passed"] },
  { part: "partial", words: "partial", outcomes: ["partial"] },
  { part: "failed", words: "failed", outcomes: ["failed"] },
  { part: "timeout", words: "timeout", outcomes: ["timeout"] },
  { part: "errored", words: "errored", outcomes: ["errored", "cancelled"] },
  {
    part: "unknown",
    words: "without an outcome",
    outcomes: ["invalid", "unscored", "unreadable", "missing", "running"],
  },
] as const satisfies readonly {
  readonly part: string;
  readonly words: string;
  readonly outcomes: readonly Outcome[];
}[];

/** Trials by outcome as shares of all of them. The numbers are its name and its tooltip. */
export function OutcomeBar({ counts }: { counts: Readonly<Record<Outcome, number>> }) {
  const parts = PARTS.map(({ part, words, outcomes }) => {
    const n = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
    return { part, n, words: `${formatCount(n)} ${words}` };
  }).filter(({ n }) => n > 0);
  const words = parts.map((one) => one.words).join(", ") || "no trials";
  return (
    <span className="outcome-shares" role="img" aria-label={words} title={words}>
      {parts.map(({ part, n }) => (
        <span key={part} data-outcome={part} style={{ flexGrow: n }} />
      ))}
    </span>
  );
}
