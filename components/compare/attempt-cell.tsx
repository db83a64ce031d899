"use client";

import { useSyncExternalStore } from "react";

import { AttemptMarks } from "@/components/ui/attempt-marks";
import type { Query } from "@/lib/addresses/href";
import { type EncodedMarks, decodeMarks } from "@/lib/domain/matrix-marks";
import type { Outcome } from "@/lib/domain/trial";

/** What stands for a mark before scripts run, as wide as one. */
const LETTERS: Partial<Record<Outcome, string>> = { passed: "✓", failed: "✗", partial: "◐", errored: "!" };

const never = () => () => undefined;

/**
 * The attempts of one group at one task. A page has thousands, so that the server sends a letter for each, and the browser draws
 * the marks and their links.
 */
export function AttemptCell({
  encoded,
  jobKey,
  onward,
}: {
  encoded: EncodedMarks;
  jobKey: string;
  onward: Query;
}) {
  const isDrawn = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const attempts = decodeMarks(encoded);
  if (isDrawn) return <AttemptMarks attempts={attempts} jobKey={jobKey} onward={onward} />;
  return (
    <span className="attempt-letters" aria-hidden="true">
      {attempts.map(({ outcome }) => LETTERS[outcome] ?? "·").join("")}
    </span>
  );
}
