"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { type ComponentProps, type KeyboardEvent, useState } from "react";

import { ReviewThese } from "@/components/queues/review-these";
import { AgentName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { ShareBar } from "@/components/ui/outcome-bar";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { formatCount, formatPercent, formatPlural } from "@/lib/core/format/number";
import { capitalise, formatTask } from "@/lib/core/format/words";
import { CLASSES, type FailureClass, nameHeading } from "@/lib/core/triage/classes";
import type { AgentModel } from "@/lib/pages/errors/scope";
import type { HeatRows } from "@/lib/pages/triage/address";
import { trialsPageHref, type TrialsParams, writeTrialsQuery } from "@/lib/pages/trials/address";

import { HEADINGS } from "./triage-words";
import { WhoStrip } from "./who-strip";

/** Darkest shade, in percent of ink. */
const DARKEST = 34;

export interface HeatLine {
  readonly label: string;
  readonly agentModel: AgentModel | null;
  readonly nFailures: number;
  readonly nTrials: number;
  readonly nAll: number;
  readonly passed: string;
  readonly passedTitle: string;
  readonly outcomes: ComponentProps<typeof ShareBar>["parts"];
  /** The causes of the row alone; null for a family. */
  readonly href: Route | null;
  readonly trials: Partial<TrialsParams>;
  readonly counts: readonly number[];
  readonly differences: readonly (string | null)[];
  readonly who: readonly number[] | null;
}

interface HeatMapProps {
  readonly rows: HeatRows;
  readonly classes: readonly FailureClass[];
  readonly lines: readonly HeatLine[];
  readonly sums: readonly number[];
  readonly agents: readonly string[];
  /** Share of a row's trials that gets the darkest shade. */
  readonly full: number;
}

type Cell = readonly [line: number, column: number];

const STEPS: Readonly<Record<string, Cell>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Arrow keys move between cells with trials; the line above describes the cell and has its link, which may be long. Rendered in the browser too: its markup is several times its data. */
export function HeatMap(props: HeatMapProps) {
  const { rows, lines, sums } = props;
  const [at, setAt] = useState(() => findLargest(lines));
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const next = at === null ? null : findNext(lines, at, STEPS[event.key]);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${next.join(" ")}"]`)?.focus();
  };
  const nFailures = sums.reduce((sum, n) => sum + n, 0);
  return (
    <>
      {at === null ? null : <CellLine {...props} at={at} />}
      <div onKeyDown={move}>
        <DataTable
          caption={`Failures by ${HEADINGS[rows].toLowerCase()} and class`}
          className="heat-map"
          columns={listColumns(props, at, setAt)}
          rows={[...lines.map((line, nth) => ({ ...line, nth })), { ...TOTAL, nFailures, counts: sums }]}
          rowKey={({ nth }) => nth ?? "all"}
          rowClass={({ nth }) => (nth === null ? "total-row" : undefined)}
        />
      </div>
    </>
  );
}

interface HeatTableRow extends HeatLine {
  /** Null for the sums. */
  readonly nth: number | null;
}

const TOTAL: HeatTableRow = {
  ...{ nth: null, label: "All", agentModel: null, href: null, trials: {}, who: null },
  ...{ nFailures: 0, nTrials: 0, nAll: 0, passed: "", passedTitle: "" },
  ...{ outcomes: [], counts: [], differences: [] },
};

function listColumns(
  { rows, classes, agents, full }: HeatMapProps,
  at: Cell | null,
  onCell: (cell: Cell) => void,
): readonly DataColumn<HeatTableRow>[] {
  return [
    column(HEADINGS[rows], (line) => <RowName line={line} rows={rows} />, { className: "name" }),
    ...classes.map((failureClass, nth): DataColumn<HeatTableRow> => ({
      id: failureClass,
      header: capitalise(nameHeading(failureClass)),
      meta: { numeric: true, isOwnCell: true, title: CLASSES[failureClass].words },
      cell: (line) => <HeatCell {...{ line, failureClass, at, full, onCell }} column={nth} />,
    })),
    column(
      "Failed",
      ({ nth, nFailures, nAll }) => (
        <>
          <b>{formatCount(nFailures)}</b>
          {nth === null ? null : <span className="muted"> of {formatCount(nAll)}</span>}
        </>
      ),
      { numeric: true },
    ),
    ...(rows === "task"
      ? [column<HeatTableRow>("Who", ({ who }) => who && <WhoStrip counts={who} agents={agents} />)]
      : []),
    column("Outcomes", ({ outcomes }) => <ShareBar parts={outcomes} />),
    column(
      "Pass rate",
      ({ passed }) => passed,
      { numeric: true },
      ({ passedTitle }) => ({ title: passedTitle || undefined }),
    ),
  ];
}

function RowName({ line, rows }: { line: HeatTableRow; rows: HeatRows }) {
  const { nth, label, href, agentModel } = line;
  if (nth === null) return <b>{label}</b>;
  if (href === null) return label;
  return (
    <Link href={href} className="quiet" title="Causes of this row alone">
      {agentModel !== null ? (
        <AgentName {...agentModel} />
      ) : rows === "task" ? (
        formatTask({ taskName: label })
      ) : (
        label
      )}
    </Link>
  );
}

interface HeatCellProps {
  readonly line: HeatTableRow;
  readonly failureClass: FailureClass;
  readonly column: number;
  readonly at: Cell | null;
  readonly full: number;
  readonly onCell: (cell: Cell) => void;
}

function HeatCell({ line, failureClass, column: nth, at, full, onCell }: HeatCellProps) {
  const router = useRouter();
  const n = line.counts[nth] ?? 0;
  if (line.nth === null) return <td className="numeric heat-sum">{formatCount(n)}</td>;
  const cell = [line.nth, nth] as const;
  return (
    <td
      className="numeric heat-cell"
      style={{ backgroundColor: shade(n / Math.max(1, line.nTrials) / full) }}
    >
      {n === 0 ? null : (
        <button
          type="button"
          className="text-button"
          onClick={() => router.push(openCell(line, failureClass))}
          data-cell={cell.join(" ")}
          tabIndex={at?.join() === cell.join() ? 0 : -1}
          onFocus={() => onCell(cell)}
          onPointerEnter={() => onCell(cell)}
        >
          {formatCount(n)}
        </button>
      )}
    </td>
  );
}

function openCell({ trials }: HeatLine, failureClass: FailureClass) {
  return trialsPageHref(null, { ...trials, failureClasses: [failureClass] });
}

function findLargest(lines: readonly HeatLine[]): Cell | null {
  const cells = lines.flatMap(({ counts }, line) => counts.map((n, column) => [n, line, column] as const));
  const [most, ...others] = cells;
  if (most === undefined) return null;
  const [n, line, column] = others.reduce((best, cell) => (cell[0] > best[0] ? cell : best), most);
  return n === 0 ? null : [line, column];
}

function findNext(lines: readonly HeatLine[], from: Cell, step: Cell | undefined): Cell | null {
  if (step === undefined) return null;
  let [line, column] = from;
  for (;;) {
    line += step[0];
    column += step[1];
    const n = lines[line]?.counts[column];
    if (n === undefined) return null;
    if (n > 0) return [line, column];
  }
}

function CellLine({
  lines,
  classes,
  sums,
  at: [line, column],
}: Pick<HeatMapProps, "lines" | "classes" | "sums"> & { at: Cell }) {
  const own = lines[line];
  const failureClass = classes[column];
  if (own === undefined || failureClass === undefined) return null;
  const n = own.counts[column] ?? 0;
  const difference = own.differences[column] ?? null;
  const { words } = CLASSES[failureClass];
  const trials = { ...own.trials, failureClasses: [failureClass] };
  return (
    <div className="panel flow heat-line" role="status" data-cause="">
      <b className="cut">
        {own.label}, {words}
      </b>
      <span className="muted grow">
        {formatCount(n)} of its {formatPlural(own.nFailures, "failure")},{" "}
        {formatPercent(n / Math.max(1, sums[column] ?? 0))} of all with this class
        {difference === null ? "." : `; ${difference}.`}
      </span>
      <Link className="button button-plain" href={openCell(own, failureClass)}>
        Open {formatPlural(n, "trial")}
      </Link>
      <ReviewThese
        address={{ list: writeTrialsQuery(trials) }}
        nTrials={n}
        label={`Review ${formatCount(n)}`}
      />
    </div>
  );
}

function shade(share: number): string | undefined {
  if (share <= 0) return undefined;
  const ink = Math.max(6, Math.round(Math.min(1, share) * DARKEST));
  return `color-mix(in srgb, var(--ink) ${ink}%, var(--paper))`;
}
