"use client";

import { useSyncExternalStore } from "react";

import { type AttemptMark, AttemptMarks } from "@/components/ui/attempt-marks";
import { type CellMark, type EncodedMarks, decodeMarks } from "@/lib/core/domain/matrix-marks";
import type { Outcome } from "@/lib/core/domain/trial";
import { type Query, trialHref } from "@/lib/pages/address/href";

import { nameLevel, nameVerdict } from "./mark-classes";
import { usePickedHrefs } from "./matrix-picks";

/** Placeholder for a mark before scripts run, as wide as one. */
const LETTERS: Partial<Record<Outcome, string>> = { passed: "✓", failed: "✗", partial: "◐", errored: "!" };

const never = () => () => undefined;

/** A page has thousands: the server sends one letter each, and the browser draws the marks and links. */
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
  const picked = usePickedHrefs();
  const attempts = decodeMarks(encoded);
  if (isDrawn) {
    const marks = attempts.map((mark) => drawMark(mark, mark.jobKey ?? jobKey, picked));
    return <AttemptMarks attempts={marks} jobKey={jobKey} onward={onward} />;
  }
  return (
    <span className="attempt-letters" aria-hidden="true">
      {attempts.map(({ outcome }) => LETTERS[outcome] ?? "·").join("")}
    </span>
  );
}

function drawMark(
  { level, verdict, ...mark }: CellMark,
  jobKey: string,
  picked: readonly string[],
): AttemptMark {
  const isPicked = picked.length > 0 && mark.key !== null && picked.includes(trialHref(jobKey, mark.key));
  const classes = [
    level === undefined ? "" : nameLevel(level),
    verdict === undefined ? "" : nameVerdict(verdict),
    isPicked ? "attempt-picked" : "",
  ];
  return { ...mark, className: classes.filter((name) => name !== "").join(" ") };
}
