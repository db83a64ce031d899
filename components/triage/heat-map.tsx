"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { type ComponentProps, type KeyboardEvent, useState } from "react";

import { ReviewThese } from "@/components/queues/review-these";
import { AgentName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { ShareBar } from "@/components/ui/outcome-bar";
import { Table } from "@/components/ui/table";
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
export function HeatMap({ rows, classes, lines, sums, agents, full }: HeatMapProps) {
  const [at, setAt] = useState(() => findLargest(lines));
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const next = at === null ? null : findNext(lines, at, STEPS[event.key]);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${next.join(" ")}"]`)?.focus();
  };
  const row = HEADINGS[rows];
  return (
    <>
      {at === null ? null : <CellLine {...{ lines, classes, sums }} at={at} />}
      <div onKeyDown={move}>
        <Table
          caption={`Failures by ${row.toLowerCase()} and class`}
          className="heat-map"
          columns={[
            { id: "name", label: row },
            ...classes.map((failureClass) => ({
              id: failureClass,
              label: capitalise(nameHeading(failureClass)),
              title: CLASSES[failureClass].words,
              numeric: true,
            })),
            { id: "failed", label: "Failed", numeric: true },
            ...(rows === "task" ? [{ id: "who", label: "Who" }] : []),
            { id: "outcomes", label: "Outcomes" },
            { id: "passed", label: "Pass rate", numeric: true },
          ]}
        >
          <tbody>
            {lines.map((line, nth) => (
              <HeatLineRow key={nth} {...{ line, nth, rows, classes, agents, full, at }} onCell={setAt} />
            ))}
            <tr className="total-row">
              <td>
                <b>All</b>
              </td>
              {sums.map((n, column) => (
                <td key={classes[column]} className="numeric heat-sum">
                  {formatCount(n)}
                </td>
              ))}
              <td className="numeric">
                <b>{formatCount(sums.reduce((sum, n) => sum + n, 0))}</b>
              </td>
              <td colSpan={rows === "task" ? 3 : 2} />
            </tr>
          </tbody>
        </Table>
      </div>
    </>
  );
}

function HeatLineRow({
  line,
  nth,
  rows,
  classes,
  agents,
  full,
  at,
  onCell,
}: Omit<HeatMapProps, "lines" | "sums"> & {
  line: HeatLine;
  nth: number;
  at: Cell | null;
  onCell: (cell: Cell) => void;
}) {
  const router = useRouter();
  return (
    <tr>
      <td className="name">
        {line.href === null ? (
          line.label
        ) : (
          <Link href={line.href} className="quiet" title="Causes of this row alone">
            {line.agentModel === null ? nameLine(line, rows) : <AgentName {...line.agentModel} />}
          </Link>
        )}
      </td>
      {line.counts.map((n, column) => (
        <td
          key={classes[column]}
          className="numeric heat-cell"
          style={{ backgroundColor: shade(n / Math.max(1, line.nTrials) / full) }}
        >
          {n === 0 ? null : (
            <button
              type="button"
              className="text-button"
              onClick={() => router.push(openCell(line, classes[column]))}
              data-cell={`${String(nth)} ${String(column)}`}
              tabIndex={at?.[0] === nth && at[1] === column ? 0 : -1}
              onFocus={() => onCell([nth, column])}
              onPointerEnter={() => onCell([nth, column])}
            >
              {formatCount(n)}
            </button>
          )}
        </td>
      ))}
      <td className="numeric nowrap">
        <b>{formatCount(line.nFailures)}</b> <span className="muted">of {formatCount(line.nAll)}</span>
      </td>
      {line.who === null ? null : (
        <td>
          <WhoStrip counts={line.who} agents={agents} />
        </td>
      )}
      <td>
        <ShareBar parts={line.outcomes} />
      </td>
      <td className="numeric" title={line.passedTitle}>
        {line.passed}
      </td>
    </tr>
  );
}

function nameLine({ label }: HeatLine, rows: HeatRows): string {
  return rows === "task" ? formatTask({ taskName: label }) : label;
}

function openCell({ trials }: HeatLine, failureClass: FailureClass | undefined) {
  return trialsPageHref(null, {
    ...trials,
    failureClasses: failureClass === undefined ? [] : [failureClass],
  });
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
    <div className="flow heat-line" role="status" data-cause="">
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
