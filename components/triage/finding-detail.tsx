import { ListChecks } from "lucide-react";

import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { clusterHref } from "@/lib/addresses/cluster";
import { jobPageHref, type JobParams } from "@/lib/addresses/job";
import { newQueueHref } from "@/lib/addresses/review";
import { trialPageHref } from "@/lib/addresses/trial";
import { writeTrialsList } from "@/lib/addresses/trials-list";
import type { TriageParams } from "@/lib/addresses/triage";
import { formatCount, formatPlural } from "@/lib/format/number";
import { SIGNAL_WORDS } from "@/lib/format/words";
import type { FindingRow, TriagePage } from "@/lib/queries/triage/page";

import { describeSignalPlace, linkSignal } from "./signal-link";
import { DismissalHistory } from "./dismissal-history";
import { DismissForm } from "./dismiss-form";
import { describeBases, nameFinding } from "./triage-words";

/** The trials of a finding among those that the page's filter chooses, as a list of trials is filtered. */
export function selectTrials(
  { failureClass, clusterKey, tasks, nTasks }: FindingRow,
  { jobs, tasks: chosen, agents }: TriageParams,
  { scope }: TriagePage,
): Partial<JobParams> {
  return {
    isOfAllJobs: true,
    failureClasses: [failureClass],
    clusters: clusterKey === null || failureClass === "unexplained" ? [] : [clusterKey],
    tasks: clusterKey === null && nTasks === 1 ? tasks : chosen,
    jobs,
    groups: listGroups(scope, agents),
  };
}

/** The evals groups of some agents and models: an agent alone would find its other models too. */
export function listGroups({ groupKeys }: TriagePage["scope"], agents: readonly string[]): readonly string[] {
  return [...new Set(agents.flatMap((name) => [...(groupKeys.get(name) ?? [])]))];
}

/** What an unfolded finding says: the example with its evidence, what reviewers said, and the ways to its trials. */
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
  const list = writeTrialsList(filter);
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
                  <pre>{signal.text}</pre>
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
            Alike: <code>{row.pattern}</code>
          </p>
        )}
        <p>{describeReviews(row)}</p>
        <p className="muted">{describeBases(row)}</p>
        <div className="finding-actions">
          <ButtonLink href={jobPageHref(null, filter)}>Open {formatPlural(nTrials, "trial")}</ButtonLink>
          <ButtonLink href={newQueueHref({ list })} title="Make a queue of them, to review one by one">
            <ListChecks size={16} aria-hidden />
            Review these
          </ButtonLink>
          {row.clusterKey === null ? null : (
            <ButtonLink href={clusterHref(row.clusterKey)}>Cluster</ButtonLink>
          )}
          <DismissForm key={row.key} findingKey={row.key} base={row.base} title={nameFinding(row)} />
        </div>
        <DismissalHistory history={row.history} />
        {reviews.nOpen === 0 ? null : (
          <p className="caption">{formatCount(reviews.nOpen)} deferred or disputed.</p>
        )}
      </div>
    </div>
  );
}

function describeReviews({ reviews: { nPassed, nFailed }, nTrials }: FindingRow): string {
  const nJudged = nPassed + nFailed;
  if (nJudged === 0) return "Nobody has judged one of these trials yet.";
  return `Reviewers passed ${formatCount(nPassed)} of the ${formatCount(nJudged)} that they judged, of ${formatCount(nTrials)}.`;
}
