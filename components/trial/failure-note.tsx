import { describeSignalPlace, linkSignal } from "@/components/triage/signal-link";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { clusterHref } from "@/lib/addresses/cluster";
import { jobTrialsHref } from "@/lib/addresses/job";
import { openTrialHref } from "@/lib/addresses/trial";
import { nameSuggester } from "@/lib/domain/suggestion";
import { capitalise, FAILURE_WORDS, OWNER_WORDS, SIGNAL_WORDS } from "@/lib/format/words";
import type { TrialAnswers } from "@/lib/queries/annotations/suggestions";
import type { TrialPage } from "@/lib/queries/trial/page";
import { OWNER_OF } from "@/lib/triage/owners";
import type { Signal } from "@/lib/triage/signals";

import { SuggestionAnswers } from "./suggestion-answer";

/** Why a trial did not pass: its class, the rule that says so and what shows it, each with the way to where it stands. */
export function FailureNote({ page, answers }: { page: TrialPage; answers: TrialAnswers | null }) {
  const { failure, trial, headline, at, job } = page;
  if (failure === null) return null;
  const { failureClass, rule, version, why, evidence } = failure;
  return (
    <section className="failure-note" aria-label="Why it did not pass">
      <p className="verifier-note-head">
        <span className="status-word">
          <Mark status={trial.outcome} />
          <b>{capitalise(FAILURE_WORDS[failureClass])}</b>
          {headline === null || page.exceptions.length === 0 ? null : (
            <span className="muted">
              reward {headline.text} and {page.exceptions[0]?.type}
            </span>
          )}
        </span>
        {at.queue === null ? (
          <span className="row">
            <Link href={clusterHref(failure.clusterKey)}>Failures like this one</Link>
            <Link href={jobTrialsHref(job.key, { failureClasses: [failureClass] })}>All in this job</Link>
          </span>
        ) : null}
      </p>
      <p>{why ?? "No rule explains this trial."}</p>
      {evidence.length === 0 ? null : (
        <ul>
          {evidence.map((signal, nth) => (
            <li key={nth}>
              <Link href={openTrialHref(at, linkSignal(signal))} mode="stay">
                {SIGNAL_WORDS[signal.kind]}
                {", "}
                {describeSignalPlace(signal)}
              </Link>
              <code className="failure-text">{shorten(signal)}</code>
            </li>
          ))}
        </ul>
      )}
      <p className="caption">
        {rule === null ? "No rule fitted" : `Rule ${rule}`}, rules {version}
        {failureClass === "unexplained" ? "" : `; owner: ${OWNER_WORDS[OWNER_OF[failureClass]]}`}.
      </p>
      {rule === null ? null : (
        <SuggestionAnswers
          of={answers}
          suggestion={{ suggester: nameSuggester("rule", rule), version: failureClass }}
          label={FAILURE_WORDS[failureClass]}
        />
      )}
    </section>
  );
}

/** Of an exception the first line: all of it stands below. */
function shorten({ kind, text }: Signal): string {
  return kind === "exception" ? (text.split("\n", 1)[0] ?? "") : text;
}
