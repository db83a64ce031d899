"use client";

import { createContext, type ReactNode, use, useSyncExternalStore } from "react";

import { ShareStrip } from "@/components/charts/strips";
import { type AttemptMark, AttemptMarks } from "@/components/ui/attempt-marks";
import { Unknown } from "@/components/ui/values";
import type { ChartGroup } from "@/lib/core/charts/chart-group";
import type { Span } from "@/lib/core/charts/ticks";
import { type EncodedMarks, type CellMark, decodeMarks } from "@/lib/core/domain/matrix-marks";
import type { Outcome } from "@/lib/core/domain/trial";
import { formatReward } from "@/lib/core/format/number";
import { type Query, trialHref } from "@/lib/pages/address/href";

import { nameLevel, nameVerdict } from "./mark-classes";
import { usePickedHrefs } from "./matrix-picks";

interface MatrixColumns {
  readonly groups: readonly (ChartGroup & { readonly jobKey: string })[];
  readonly scale: Span;
}

const Columns = createContext<MatrixColumns>({ groups: [], scale: { low: 0, high: 1 } });
const List = createContext<string | null>(null);

/** Sent once: a page has hundreds of cells, and each would repeat its group. */
export function MatrixScope({ groups, scale, children }: MatrixColumns & { children: ReactNode }) {
  return <Columns value={{ groups, scale }}>{children}</Columns>;
}

export function MatrixRowScope({ list, children }: { list: string | null; children: ReactNode }) {
  return <List value={list}>{children}</List>;
}

export function GroupCell({
  at,
  marks,
  counts,
  spent,
  more,
}: {
  at: number;
  marks?: EncodedMarks;
  counts?: readonly [c: number, n: number];
  spent?: string;
  more?: ReactNode;
}) {
  const list = use(List);
  const { jobKey = "" } = use(Columns).groups[at] ?? {};
  return (
    <td>
      <span className="matrix-cell">
        {marks === undefined ? null : (
          <AttemptCell encoded={marks} jobKey={jobKey} onward={list === null ? {} : { list }} />
        )}
        {more}
        {counts === undefined ? (
          <Unknown />
        ) : (
          <span className="matrix-count">
            {counts[0]}
            <span className="muted">{`/${counts[1]}`}</span>
          </span>
        )}
        {spent === undefined ? null : <span className="matrix-spent">{spent}</span>}
      </span>
    </td>
  );
}

export function MeansStrip({ means }: { means: readonly (number | null)[] }) {
  const { groups, scale } = use(Columns);
  const marks = groups.map((group, at) => ({ group, value: means[at] ?? null }));
  return (
    <ShareStrip
      title={marks
        .map(({ group, value }) => `${group.label} ${value === null ? "no value" : formatReward(value, 2)}`)
        .join(", ")}
      scale={scale}
      marks={marks}
    />
  );
}

/** Placeholder for a mark before scripts run, as wide as one. */
const LETTERS: Partial<Record<Outcome, string>> = { passed: "✓", failed: "✗", partial: "◐", errored: "!" };

const never = () => () => undefined;

/** A page has thousands: the server sends one letter each, and the browser draws the marks and links. */
function AttemptCell({ encoded, jobKey, onward }: { encoded: EncodedMarks; jobKey: string; onward: Query }) {
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
