"use client";

import { createContext, type ReactNode, use } from "react";

import { AgentShape, colourOf } from "@/components/ui/agent-mark";
import { type AttemptMark, AttemptMarks } from "@/components/ui/attempt-marks";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { Unknown } from "@/components/ui/values";
import type { ChartGroup } from "@/lib/core/charts/chart-group";
import { placeOn, type Span } from "@/lib/core/charts/ticks";
import type { CellMark } from "@/lib/core/domain/matrix-marks";
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

/** Sent once: a page has hundreds of cells, and each would repeat its group. */
export function MatrixScope({ groups, scale, children }: MatrixColumns & { children: ReactNode }) {
  return <Columns value={{ groups, scale }}>{children}</Columns>;
}

export function GroupCell({
  at,
  list,
  marks,
  counts,
  spent,
  more,
  tone,
}: {
  at: number;
  /** Query of the trials that the next and previous trial are taken from. */
  list: string | null;
  marks?: readonly CellMark[];
  counts?: readonly [c: number, n: number];
  spent?: string;
  more?: ReactNode;
  /** Next to several groups: which cells differ from the baseline. */
  tone?: "baseline" | "differs" | "same";
}) {
  const { jobKey = "" } = use(Columns).groups[at] ?? {};
  return (
    <td className={tone === undefined ? undefined : `matrix-${tone}`}>
      <span className="inline-row matrix-cell">
        {marks === undefined ? null : (
          <AttemptCell marks={marks} jobKey={jobKey} onward={list === null ? {} : { list }} />
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

const SLOPE = { width: 64, height: 28, inset: 6 } as const;

/** Means of a pair, before and after, from the bottom of the scale to its top. */
export function Slope({ means: [before = null, after = null] }: { means: readonly (number | null)[] }) {
  const { groups, scale } = use(Columns);
  const [baseline, candidate] = groups;
  if (baseline === undefined || candidate === undefined) return null;
  const place = (mean: number) =>
    SLOPE.height - SLOPE.inset - placeOn(mean, scale) * (SLOPE.height - 2 * SLOPE.inset);
  const ends = [
    { group: baseline, mean: before, x: SLOPE.inset },
    { group: candidate, mean: after, x: SLOPE.width - SLOPE.inset },
  ];
  const title = ends
    .map(({ group, mean }) => `${group.label} ${mean === null ? "no value" : formatReward(mean, 2)}`)
    .join(", ");
  return (
    <svg className="matrix-slope" width={SLOPE.width} height={SLOPE.height} role="img" aria-label={title}>
      <title>{title}</title>
      {before === null || after === null ? null : (
        <line
          x1={SLOPE.inset}
          x2={SLOPE.width - SLOPE.inset}
          y1={place(before)}
          y2={place(after)}
          stroke={colourOf(after < before ? baseline : candidate)}
          strokeWidth={1.5}
        />
      )}
      {ends.map(({ group, mean, x }) =>
        mean === null ? null : (
          <g key={x} transform={`translate(${x} ${place(mean).toFixed(1)})`}>
            <AgentShape group={group} size={8} />
          </g>
        ),
      )}
    </svg>
  );
}

/** A filled square for each group that is better than the baseline, an outlined one for each worse. */
export function Balance({ better, worse }: { better: number; worse: number }) {
  const middle = (use(Columns).groups.length - 1) * 9;
  const draw = (count: number, from: number, step: number) =>
    Array.from({ length: count }, (_, nth) => `M${from + nth * step} 4.5h7v7h-7z`).join("");
  return (
    <svg
      className="matrix-balance"
      width={2 * middle + 1}
      height={16}
      role="img"
      aria-label={`${better} better, ${worse} worse`}
    >
      <path d={`M${middle}.5 0v16`} stroke="var(--line-strong)" />
      <path d={draw(better, middle + 3, 9)} />
      <path d={draw(worse, middle - 8.5, -9)} fill="none" stroke="var(--ink)" />
    </svg>
  );
}

/** Placeholder for a mark before scripts run, as wide as one. */
const LETTERS: Partial<Record<Outcome, string>> = { passed: "✓", failed: "✗", partial: "◐", errored: "!" };

/** A page has thousands: the server sends one letter each, and the browser draws the marks and links. */
function AttemptCell({
  marks,
  jobKey,
  onward,
}: {
  marks: readonly CellMark[];
  jobKey: string;
  onward: Query;
}) {
  const isDrawn = useInBrowser();
  const picked = usePickedHrefs();
  if (isDrawn) {
    const attempts = marks.map((mark) => drawMark(mark, mark.jobKey ?? jobKey, picked));
    return <AttemptMarks attempts={attempts} jobKey={jobKey} onward={onward} />;
  }
  return (
    <span className="attempt-letters" aria-hidden="true">
      {marks.map(({ outcome }) => LETTERS[outcome] ?? "·").join("")}
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
