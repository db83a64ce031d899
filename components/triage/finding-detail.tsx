import { ReviewThese } from "@/components/queues/review-these";
import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Preformatted } from "@/components/ui/preformatted";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { SIGNAL_WORDS } from "@/lib/core/format/words";
import { clusterHref } from "@/lib/pages/clusters/address";
import { jobPageHref, writeTrialsQuery } from "@/lib/pages/job/address";
import type { TriageParams } from "@/lib/pages/triage/address";
import type { FindingRow, TriagePage } from "@/lib/pages/triage/page";
import { trialPageHref } from "@/lib/pages/trial/address";
import { writeTrialsList } from "@/lib/pages/trials/address";

import { DismissForm } from "./dismiss-form";
import { DismissalHistory } from "./dismissal-history";
import { selectTrials } from "./select-trials";
import { describeSignalPlace, linkSignal } from "./signal-link";
import { describeBases, nameFinding } from "./triage-words";

export function FindingDetail({
  row,
  page,
  params,
}: {
  row: FindingRow;
  page: TriagePage;
  params: TriageParams;
}) {
  const { example, reviews, nTrials } = row;
  const filter = selectTrials(row, params, page);
  // The oracle's trial is not in the list of agent trials.
  const list = row.oracle === null ? writeTrialsList(filter) : null;
  return (
    <div className="finding-detail">
      <div className="finding-example">
        {example === null ? (
          <p className="muted">No trial of it is in the index any more.</p>
        ) : (
          <>
            <p className="caption">
              <Link href={trialPageHref(example.jobKey, example.key, { list })}>
                {example.taskName}, {example.jobName}, attempt {example.attempt}
              </Link>
            </p>
            {example.evidence.length === 0 ? (
              <p className="muted">Its files show nothing that tells why.</p>
            ) : null}
            <ul>
              {example.evidence.map((signal, nth) => (
                <li key={nth}>
                  <Link
                    className="caption"
                    href={trialPageHref(example.jobKey, example.key, { list, ...linkSignal(signal) })}
                  >
                    {SIGNAL_WORDS[signal.kind]}, {describeSignalPlace(signal)}
                  </Link>
                  <Preformatted>{signal.text}</Preformatted>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div>
        {example?.why == null ? null : <p>{example.why}</p>}
        {nTrials < 2 || row.pattern === null ? null : (
          <p className="finding-pattern">
            Pattern: <code>{row.pattern}</code>
          </p>
        )}
        {row.oracle === null ? null : <p>{describeOracle(row.oracle)}</p>}
        {row.kind === "alike" ? null : (
          <p className="muted">Its trials are counted in the findings of their classes too.</p>
        )}
        <p>{describeReviews(row)}</p>
        <p className="muted">{describeBases(row)}</p>
        <div className="finding-actions">
          <ButtonLink href={jobPageHref(null, filter)}>Open {formatPlural(nTrials, "trial")}</ButtonLink>
          <ReviewThese address={{ list: writeTrialsQuery(filter) }} nTrials={nTrials} />
          {row.clusterKey === null ? null : (
            <ButtonLink href={clusterHref(row.clusterKey)}>Cluster</ButtonLink>
          )}
          <ForAction action="dismissFindingAction">
            <DismissForm key={row.key} findingKey={row.key} base={row.base} title={nameFinding(row)} />
          </ForAction>
        </div>
        <DismissalHistory history={row.history} />
        {reviews.nOpen === 0 ? null : (
          <p className="caption">{formatCount(reviews.nOpen)} deferred or disputed.</p>
        )}
      </div>
    </div>
  );
}

function describeOracle({
  nOracle,
  nOracleFailed,
  nTried,
  nPassed,
}: NonNullable<FindingRow["oracle"]>): string {
  return `The example is of the oracle, which runs the task’s own solution: it failed ${formatCount(nOracleFailed)} of ${formatPlural(nOracle, "attempt")}. Agents passed ${formatCount(nPassed)} of ${formatCount(nTried)} at this version of the task, in all jobs.`;
}

function describeReviews({ reviews: { nPassed, nFailed }, nTrials }: FindingRow): string {
  const nJudged = nPassed + nFailed;
  if (nJudged === 0) return "Nobody has judged one of these trials yet.";
  return `Reviewers passed ${formatCount(nPassed)} of the ${formatCount(nJudged)} that they judged, of ${formatCount(nTrials)}.`;
}
