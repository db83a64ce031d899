"use client";

import { withBasePath } from "@/lib/domain/base-path";
import { type Query, trialHref } from "@/lib/addresses/href";
import type { Outcome } from "@/lib/domain/trial";
import { OUTCOME_WORDS, SUSPECT_WORDS } from "@/lib/format/words";

import { Mark } from "./mark";
import { LinkArea } from "./link-area";

/** One attempt at a task. */
export interface AttemptMark {
  /** Of its trial; null where it has no page. */
  readonly key: string | null;
  /** Of its job, where it is another one than that of most marks beside it. */
  readonly jobKey?: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  /** Said after the outcome, such as the type of its exception. */
  readonly detail?: string;
  /** The verifier may have crashed. */
  readonly isSuspect?: boolean;
  /** What else its place shows of it. */
  readonly className?: string;
}

/**
 * Every attempt at one task in the order they ran, each a link to its trial. Drawn in the browser too, since a page has
 * thousands: what a mark is drawn from is a tenth of the mark.
 */
export function AttemptMarks({
  attempts,
  jobKey,
  query,
  onward,
  current,
}: {
  attempts: readonly AttemptMark[];
  jobKey: string;
  /** Of the addresses of the trials. */
  query?: Query;
  /** Of the address of a trial that is opened in place, see `LinkArea`. */
  onward?: Query;
  /** Key of the trial whose page this is. */
  current?: string;
}) {
  return (
    <LinkArea className="attempts" query={onward}>
      {attempts.map(({ key, attempt, outcome, detail = "", isSuspect = false, ...mark }) => {
        const notes = [OUTCOME_WORDS[outcome], detail, isSuspect ? SUSPECT_WORDS.full : ""];
        const words = `attempt ${attempt}: ${notes.filter((note) => note !== "").join(", ")}`;
        const classes = [isSuspect ? "attempt-suspect" : "", mark.className ?? ""];
        const className = classes.filter((name) => name !== "").join(" ") || undefined;
        return key === null ? (
          <span key={attempt} title={words} className={className}>
            <Mark status={outcome} label={words} />
          </span>
        ) : (
          <a
            key={attempt}
            href={withBasePath(trialHref(mark.jobKey ?? jobKey, key, query))}
            title={words}
            className={className}
            aria-current={key === current ? "true" : undefined}
          >
            {/* The title names the link. */}
            <Mark status={outcome} />
          </a>
        );
      })}
    </LinkArea>
  );
}
