import type { Dismissal, TriageChange } from "@/lib/annotations";
import type { ClockTime } from "@/lib/domain/clock-time";

import type { Finding } from "./findings";

export interface FindingChange {
  /** Why it was dismissed; null where it is shown again. */
  readonly reason: string | null;
  /** Why it is shown again; null where whoever dismissed it undid that. */
  readonly undoReason: string | null;
  readonly author: string;
  readonly at: ClockTime;
}

export interface DismissedFinding {
  readonly key: string;
  /** What it said then. */
  readonly title: string;
  readonly reason: string;
  readonly author: string;
  readonly at: ClockTime;
  /** Number of that change, which undoing it names. */
  readonly base: number;
  /** Whether it was dismissed in this browser, or nobody knows where: then it is undone without a reason. */
  readonly isOwn: boolean;
  /** What came before, the newest first. */
  readonly history: readonly FindingChange[];
  /** Trials with it that the filter leaves. */
  readonly nTrials: number;
}

/**
 * A finding as somebody dismissed it; none where nobody did, or it is shown again.
 * @param isOwn - whether the change of a number was made in this browser, or nobody knows where
 */
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

/** Changes of a finding, the newest first. */
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
