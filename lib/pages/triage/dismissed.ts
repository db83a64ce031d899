import type { ClockTime } from "@/lib/core/domain/clock-time";
import type { Dismissal, TriageChange } from "@/lib/people/annotations";

export interface FindingChange {
  readonly reason: string | null;
  /** Null if the person who dismissed it undid that. */
  readonly undoReason: string | null;
  readonly author: string;
  readonly at: ClockTime;
}

export interface StandingDismissal {
  readonly reason: string;
  readonly author: string;
  readonly at: ClockTime;
  /** True if dismissed in this browser or an unknown one. It is then restored without a reason. */
  readonly isOwn: boolean;
}

/** Returns null if it was never dismissed, or is shown again. */
export function readDismissal(
  dismissal: Dismissal | undefined,
  isOwn: (seq: number) => boolean,
): StandingDismissal | null {
  const last = dismissal?.history.at(-1);
  if (dismissal === undefined || last === undefined || dismissal.reason === null) return null;
  const { author, createdAt, seq } = last;
  return { reason: dismissal.reason, author, at: toTime(createdAt), isOwn: isOwn(seq) };
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
