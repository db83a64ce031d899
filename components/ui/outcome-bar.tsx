import type { OutcomeCounts } from "@/lib/core/domain/job-head";
import { type Outcome, WORST_FIRST } from "@/lib/core/domain/trial";
import { formatCount } from "@/lib/core/format/number";
import { OUTCOME_WORDS } from "@/lib/core/format/words";
import type { Owner } from "@/lib/core/triage/classes";

const PASSED_FIRST = WORST_FIRST.toSorted((a, b) => Number(b === "passed") - Number(a === "passed"));

/** Parts of trials, each as long as its share. Its name and its tooltip have the numbers. */
export function ShareBar({
  parts,
}: {
  parts: readonly (readonly [kind: Outcome | Owner, n: number, words: string])[];
}) {
  const shown = parts.filter(([, n]) => n > 0);
  if (shown.length === 0) return null;
  const said = shown.map(([, n, words]) => `${formatCount(n)} ${words}`).join(", ");
  return (
    <span className="share-bar" role="img" aria-label={said} title={said}>
      {shown.map(([kind, n, words]) => (
        <i key={words} className={`outcome-${kind}`} data-owner={kind} style={{ flexGrow: n }} />
      ))}
    </span>
  );
}

export function OutcomeBar({ counts }: { counts: OutcomeCounts }) {
  return (
    <ShareBar
      parts={PASSED_FIRST.map((outcome) => [outcome, counts[outcome], OUTCOME_WORDS[outcome]] as const)}
    />
  );
}
