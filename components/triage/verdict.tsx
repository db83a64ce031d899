import { Fragment } from "react";

import { Link } from "@/components/ui/link";
import { formatCount, formatPercent, formatPlural, formatPoints } from "@/lib/core/format/number";
import { CLASSES, OWNER_WORDS } from "@/lib/core/triage/classes";
import { triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { FindingRow, TriagePage } from "@/lib/pages/triage/page";

import { nameFinding } from "./triage-words";

const MOST_DATASETS = 6;

export function TriageVerdict({ page, params }: { page: TriagePage; params: TriageParams }) {
  const isOfOne = page.scope.datasets.size < 2;
  const [first, ...next] = page.findings.filter(
    ({ win }) => !isOfOne || (win.kind === "computed" && win.expected > 0),
  );
  const { unexplained, scope } = page;
  return (
    <section className="triage-verdict" aria-label="What to fix first">
      <p className="triage-first">
        {first === undefined
          ? "No known failure with anything to win."
          : `${isOfOne ? "Fix first" : "Most failures"}: ${nameFinding(first)}, ${isOfOne ? `about ${winOf(first)} of the mean reward` : winOf(first)}. Owner: ${OWNER_WORDS[CLASSES[first.failureClass].owner]}.`}
      </p>
      {isOfOne ? null : <DatasetLinks page={page} params={params} />}
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
        {page.isWithoutJudgments ? " Reviewers’ judgments cannot be read and are not counted." : ""}
        {scope.nLeftOut === 0 ? null : (
          <>
            {` ${formatPlural(scope.nLeftOut, "job")} could not be classified and ${scope.nLeftOut === 1 ? "is" : "are"} left out: see the `}
            <Link href="/load-report">load report</Link>.
          </>
        )}
        {scope.nUnclassified === 0
          ? ""
          : ` ${formatPlural(scope.nUnclassified, "trial is", "trials are")} not classified yet, so this page may be a few seconds behind.`}
      </p>
    </section>
  );
}

function winOf({ win, nTrials }: FindingRow): string {
  return win.kind === "computed" ? `${formatPoints(win.expected)} points` : formatPlural(nTrials, "trial");
}

function DatasetLinks({ page: { facets, scope }, params }: { page: TriagePage; params: TriageParams }) {
  const inScope = facets.datasets.filter(({ id }) => scope.datasets.has(id));
  return (
    <p>
      {`These trials are from ${formatPlural(inScope.length, "dataset")}. Choose one to see what a fix would win: `}
      {inScope.slice(0, MOST_DATASETS).map(({ id, label }, at) => (
        <Fragment key={id}>
          {at === 0 ? "" : ", "}
          <Link href={triageHref(params, { datasets: [id], open: null })}>{label}</Link>
        </Fragment>
      ))}
      {inScope.length > MOST_DATASETS ? ` and ${formatCount(inScope.length - MOST_DATASETS)} more.` : "."}
    </p>
  );
}
