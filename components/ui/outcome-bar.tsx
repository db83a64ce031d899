import type { OutcomeCounts } from "@/lib/core/domain/job-head";
import { WORST_FIRST } from "@/lib/core/domain/trial";
import { formatCount } from "@/lib/core/format/number";
import { OUTCOME_WORDS } from "@/lib/core/format/words";

import "./outcome-bar.css";

const PASSED_FIRST = WORST_FIRST.toSorted((a, b) => Number(b === "passed") - Number(a === "passed"));

/** How many trials had each outcome, to scale; its words have the numbers. */
export function OutcomeBar({ counts }: { counts: OutcomeCounts }) {
  const parts = PASSED_FIRST.filter((outcome) => counts[outcome] > 0);
  const words = parts
    .map((outcome) => `${formatCount(counts[outcome])} ${OUTCOME_WORDS[outcome]}`)
    .join(", ");
  return (
    <span className="outcome-bar" role="img" aria-label={words} title={words}>
      {parts.map((outcome) => (
        <i key={outcome} className={`outcome-${outcome}`} style={{ flexGrow: counts[outcome] }} />
      ))}
    </span>
  );
}
