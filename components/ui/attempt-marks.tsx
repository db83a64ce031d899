import type { Route } from "next";

import type { Outcome } from "@/lib/domain/trial";
import { OUTCOME_WORDS } from "@/lib/format/words";

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
}

/** Every attempt at one task in the order they ran, each a link to its trial. */
export function AttemptMarks({ attempts, current }: { attempts: readonly AttemptMark[]; current?: string }) {
  return (
    <span className="attempts">
      {attempts.map(({ key, attempt, outcome, href, detail }) => {
        const words = `attempt ${attempt}: ${OUTCOME_WORDS[outcome]}${detail === undefined ? "" : `, ${detail}`}`;
        const mark = <Mark status={outcome} label={words} />;
        return href === null ? (
          <span key={key} title={words}>
            {mark}
          </span>
        ) : (
          <SoftLink key={key} href={href} title={words} aria-current={key === current ? "true" : undefined}>
            {mark}
          </SoftLink>
        );
      })}
    </span>
  );
}
