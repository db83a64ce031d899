import type { ClockTime } from "@/lib/core/domain/clock-time";
import type { Dismissal, TriageChange } from "@/lib/people/annotations";

import type { Finding } from "./findings";

export interface FindingChange {
  readonly reason: string | null;
  /** Null if the person who dismissed it undid that. */
  readonly undoReason: string | null;
  readonly author: string;
  readonly at: ClockTime;
}

export interface DismissedFinding {
  readonly key: string;
  readonly title: string;
  readonly reason: string;
  readonly author: string;
  readonly at: ClockTime;
  readonly base: number;
  /** True if dismissed in this browser or an unknown one. It is then restored without a reason. */
  readonly isOwn: boolean;
  readonly history: readonly FindingChange[];
  readonly nTrials: number;
}

export function toDismissed(
  { key, failures }: Finding,
  dismissal: Dismissal | undefined,
  isOwn: (seq: number) => boolean,
): readonly DismissedFinding[] {
  const last = dismissal?.history.at(-1);
  if (dismissal === undefined || last === undefined || dismissal.reason === null) return [];
  const { title, reason } = dismissal;
  const { author, createdAt, seq: base } = last;
  const history = listChanges(dismissal.history.slice(0, -1));
  const nTrials = failures.length;
  return [{ key, title, reason, author, at: toTime(createdAt), base, isOwn: isOwn(base), history, nTrials }];
}

export function listChanges(history: readonly TriageChange[]): readonly FindingChange[] {
  return history
    .map(({ text: reason, undoReason, author, createdAt }) => ({
      reason,
      undoReason,
      author,
      at: toTime(createdAt),
    }))
    .toReversed();
}

function toTime(text: string): ClockTime {
  return { text, epochMs: Date.parse(text), zoned: true };
}
