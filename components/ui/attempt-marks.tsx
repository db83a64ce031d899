"use client";

import { useRouter } from "next/navigation";
import type { MouseEvent, ReactNode } from "react";

import { withBasePath, withoutBasePath } from "@/lib/core/domain/base-path";
import type { Outcome } from "@/lib/core/domain/trial";
import { OUTCOME_WORDS, SUSPECT_WORDS } from "@/lib/core/format/words";
import { buildHref, type Query, trialHref } from "@/lib/pages/address/href";

import { Mark } from "./mark";

/** Follows plain links as `Link` does. Rendering a `Link` takes the server 16 µs more, a sixth of a page of tasks. */
function LinkArea({
  className,
  query = {},
  children,
}: {
  className: string;
  /** Added to followed URLs without a query, so that not every link repeats it. */
  query?: Query | undefined;
  children: ReactNode;
}) {
  const router = useRouter();
  const follow = (event: MouseEvent<HTMLElement>) => {
    const href = event.target instanceof Element ? event.target.closest("a")?.getAttribute("href") : null;
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (href === null || href === undefined || isModified || event.button !== 0) return;
    event.preventDefault();
    router.push(buildHref(withoutBasePath(href), query));
  };
  return (
    <span className={className} onClick={follow}>
      {children}
    </span>
  );
}

export interface AttemptMark {
  readonly key: string | null;
  /** Set if its job differs from that of most marks around it. */
  readonly jobKey?: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly detail?: string;
  readonly isSuspect?: boolean;
  readonly className?: string;
}

/** Marks in the order of the attempts. Rendered in the browser too: a page has thousands, and data is a tenth of markup. */
export function AttemptMarks({
  attempts,
  jobKey,
  query,
  onward,
  current,
}: {
  attempts: readonly AttemptMark[];
  jobKey: string;
  query?: Query;
  /** Query of URLs that open in place, see `LinkArea`. */
  onward?: Query;
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
