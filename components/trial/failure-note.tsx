import type { ReactNode } from "react";

import { describeSignalPlace, linkSignal } from "@/components/triage/signal-link";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import { capitalise, SIGNAL_WORDS } from "@/lib/core/format/words";
import { CLASSES, OWNER_WORDS } from "@/lib/core/triage/classes";
import type { Signal } from "@/lib/core/triage/signals";
import { clusterHref } from "@/lib/pages/clusters/address";
import { openTrialHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { SuggestionAnswers } from "./suggestion-answer";
import type { ShownTrial } from "./trial-parts";

export function FailureNote({ page }: { page: ShownTrial }) {
  const { failure, passedFailure, at, job } = page;
  if (failure === null)
    return passedFailure === null ? null : (
      <section className="failure-note" aria-label="Exception that did not fail it">
        <ClassHead page={page} said={passedFailure} />
        <p>
          {passedFailure.why ?? "No rule explains its exception."} The trial did not fail, so it is in no
          failure count.
        </p>
        <ClassEvidence page={page} said={passedFailure} />
      </section>
    );
  const { failureClass, rule, why } = failure;
  return (
    <section className="failure-note" aria-label="Why it did not pass">
      <ClassHead page={page} said={failure}>
        {at.queue === null ? (
          <span className="row">
            <Link href={clusterHref(failure.clusterKey)}>Failures like this one</Link>
            <Link href={trialsPageHref(job.key, { failureClasses: [failureClass] })}>All in this job</Link>
          </span>
        ) : null}
      </ClassHead>
      <p>{why ?? "No rule explains this trial."}</p>
      <ClassEvidence page={page} said={failure} />
      {rule === null ? null : (
        <SuggestionAnswers
          of={page.answers}
          suggestion={{ suggester: nameSuggester("rule", rule), version: failureClass }}
          label={CLASSES[failureClass].words}
        />
      )}
    </section>
  );
}

interface ClassProps {
  page: TrialPage;
  said: NonNullable<TrialPage["passedFailure"]>;
}

function ClassHead({ page, said, children }: ClassProps & { children?: ReactNode }) {
  const { trial, headline, exceptions } = page;
  return (
    <p className="verifier-note-head">
      <span className="status-word">
        <Mark status={trial.outcome} />
        <b>{capitalise(CLASSES[said.failureClass].words)}</b>
        {headline === null || exceptions.length === 0 ? null : (
          <span className="muted">
            reward {headline.text} and {exceptions[0]?.type}
          </span>
        )}
      </span>
      {children}
    </p>
  );
}

function ClassEvidence({ page, said: { failureClass, rule, version, why, evidence } }: ClassProps) {
  return (
    <>
      {evidence.length === 0 ? null : (
        <ul>
          {evidence.map((signal, nth) => (
            <li key={nth}>
              <Link href={openTrialHref(page.at, linkSignal(signal))} mode="stay">
                {SIGNAL_WORDS[signal.kind]}
                {", "}
                {describeSignalPlace(signal)}
              </Link>
              <code className="clamp failure-text">{shorten(signal)}</code>
            </li>
          ))}
        </ul>
      )}
      <p className="caption">
        {rule === null ? (why === null ? "No rule matches" : "Stopped") : `Rule ${rule}`}, rules {version}
        {failureClass === "unexplained" ? "" : `; owner: ${OWNER_WORDS[CLASSES[failureClass].owner]}`}.
      </p>
    </>
  );
}

function shorten({ kind, text }: Signal): string {
  return kind === "exception" ? (text.split("\n", 1)[0] ?? "") : text;
}
