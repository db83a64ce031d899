import { Link } from "@/components/ui/link";
import { formatPercent, formatPlural, formatPoints } from "@/lib/format/number";
import { OWNER_WORDS } from "@/lib/format/words";
import type { FindingRow, TriagePage } from "@/lib/queries/triage/page";
import { OWNER_OF } from "@/lib/triage/owners";

import { nameFinding } from "./triage-words";

/** What to fix first, as a sentence with its points; then the runners-up, and what could overturn it. */
export function TriageVerdict({ page }: { page: TriagePage }) {
  const [first, ...next] = page.findings.filter(({ win }) => win.kind === "computed" && win.expected > 0);
  const { unexplained, scope } = page;
  return (
    <section className="triage-verdict" aria-label="What to fix first">
      <p className="triage-first">
        {first === undefined
          ? "No failure is known whose fix would win anything."
          : `Fix first: ${nameFinding(first)}, about ${winOf(first)} points of the mean reward. Owner: ${OWNER_WORDS[OWNER_OF[first.failureClass]]}.`}
      </p>
      <p>
        {next.length === 0
          ? ""
          : `Next: ${next
              .slice(0, 3)
              .map((row) => `${nameFinding(row)} (${winOf(row)})`)
              .join("; ")}. `}
        {unexplained === null
          ? "Every failure is explained by a rule."
          : `${formatPlural(unexplained.nTrials, "trial")} (${formatPercent(unexplained.nTrials / Math.max(1, scope.failures.length))}) ${unexplained.nTrials === 1 ? "is" : "are"} unexplained, which could change this order.`}
        {page.isWithoutJudgments
          ? " Reviewers’ judgments cannot be read, so they count in nothing here."
          : ""}
        {scope.nLeftOut === 0 ? null : (
          <>
            {` ${formatPlural(scope.nLeftOut, "job")} could not be classified and ${scope.nLeftOut === 1 ? "is" : "are"} left out: see the `}
            <Link href="/load-report">load report</Link>.
          </>
        )}
        {scope.nUnclassified === 0
          ? ""
          : ` ${formatPlural(scope.nUnclassified, "trial is", "trials are")} still to be classified, so this page may be some seconds behind.`}
      </p>
    </section>
  );
}

function winOf({ win }: FindingRow): string {
  return win.kind === "computed" ? formatPoints(win.expected) : "unknown";
}
