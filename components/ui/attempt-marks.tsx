import type { Route } from "next";

import type { Outcome } from "@/lib/domain/trial";
import { OUTCOME_WORDS, SUSPECT_WORDS } from "@/lib/format/words";

import { Mark } from "./mark";
import { SoftLink } from "./soft-link";

/** One attempt at a task. `href` opens its trial; an attempt without a folder has none. */
export interface AttemptMark {
  readonly key: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly href: Route | null;
  /** Said after the outcome, such as `with AgentTimeoutError`. */
  readonly detail?: string;
  /** The verifier may have crashed. */
  readonly isSuspect?: boolean;
}

/** Every attempt at one task in the order they ran, each a link to its trial. */
export function AttemptMarks({ attempts, current }: { attempts: readonly AttemptMark[]; current?: string }) {
  return (
    <span className="attempts">
      {attempts.map(({ key, attempt, outcome, href, detail, isSuspect = false }) => {
        const notes = [OUTCOME_WORDS[outcome], detail ?? "", isSuspect ? SUSPECT_WORDS.full : ""];
        const words = `attempt ${attempt}: ${notes.filter((note) => note !== "").join(", ")}`;
        const className = isSuspect ? "attempt-suspect" : undefined;
        return href === null ? (
          <span key={key} title={words} className={className}>
            <Mark status={outcome} label={words} />
          </span>
        ) : (
          <SoftLink
            key={key}
            href={href}
            title={words}
            className={className}
            aria-current={key === current ? "true" : undefined}
          >
            {/* The title names the link. */}
            <Mark status={outcome} />
          </SoftLink>
        );
      })}
    </span>
  );
}
