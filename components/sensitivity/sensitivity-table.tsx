import type { ReactNode } from "react";

import { DataTable } from "@/components/ui/data-table";
import { intervalColumn, IntervalPlot } from "@/components/ui/interval-plot";
import { Methods } from "@/components/ui/methods";
import { column, type DataColumn } from "@/components/ui/table-columns";
import type { SensitivityLine } from "@/lib/core/comparison";
import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { LEFT_OUT_READINGS, MISSING_ENDS, nameScore } from "@/lib/core/format/reading-words";
import type { Exclusion } from "@/lib/core/stats";
import { CLASSES, listClasses } from "@/lib/core/triage/classes";

interface SensitivityRow {
  readonly id: string;
  readonly name: ReactNode;
  readonly identity?: number;
  readonly line: SensitivityLine;
}

const WIDTH = 176;
const MOST_ROWS = 24;

export function SensitivityTable({
  heading,
  rows,
  score = nameScore("zero"),
}: {
  heading: string;
  rows: readonly SensitivityRow[];
  score?: string;
}) {
  const readings = LEFT_OUT_READINGS.filter(({ name }) =>
    rows.some(({ line }) => line.cells[name].nMoved !== 0),
  );
  const hasEnds = rows.some(({ line }) => line.bounds.nMoved > 0);
  const nUnknown = rows.reduce((sum, { line }) => sum + line.nUnknown, 0);
  const end = Math.max(1, ...rows.map(({ line }) => line.drawn?.most ?? 0));
  const shown = rows.slice(0, MOST_ROWS);
  const columns: readonly DataColumn<SensitivityRow>[] = [
    column(heading, ({ name }) => name, { className: "name" }),
    column(
      score,
      ({ line }) => <b>{line.recorded.value}</b>,
      { numeric: true },
      ({ line }) => ({ title: `95 % interval ${line.recorded.range}` }),
    ),
    ...readings.map(({ name, label, title }) =>
      column<SensitivityRow>(label, ({ line }) => <Reading {...line.cells[name]} />, {
        title,
        numeric: true,
      }),
    ),
    ...(hasEnds
      ? [
          column<SensitivityRow>(MISSING_ENDS.label, ({ line }) => <Reading {...line.bounds} />, {
            title: MISSING_ENDS.title,
            numeric: true,
          }),
        ]
      : []),
    intervalColumn(
      ({ identity, line }) => (
        <ReadingPlot line={line} end={end} {...(identity === undefined ? {} : { identity })} />
      ),
      { words: "Score, interval and reach", width: WIDTH, end, format: formatEnd },
      { room: "minor" },
    ),
  ];
  return (
    <>
      <DataTable caption="Score by what counts" columns={columns} rows={shown} rowKey={({ id }) => id} />
      <p className="caption table-note">
        Next to each score: finished trials that its reading moves. Line: the score’s 95 % interval; bar:
        lowest to highest reading.
        {nUnknown > 0 &&
          ` ${formatPlural(nUnknown, "trial is", "trials are")} not classified yet, so readings by cause are unknown.`}
        {rows.length > shown.length ? ` ${formatCount(rows.length - shown.length)} more are not shown.` : ""}
      </p>
      <ReadingMethods readings={readings} />
    </>
  );
}

function ReadingMethods({
  readings,
}: {
  readings: readonly Pick<(typeof LEFT_OUT_READINGS)[number], "name" | "label" | "title">[];
}) {
  return (
    <Methods>
      {readings.map(({ name, label, title }) => (
        <p key={name}>
          <b>{label}</b>: {title.charAt(0).toLowerCase() + title.slice(1)}.
        </p>
      ))}
      <p>
        Infrastructure is what triage calls {nameClasses("infrastructure")}; a timeout is what it calls{" "}
        {nameClasses("timeout")}. Trials of all other classes stay in, including unexplained ones. A trial
        that passed in spite of an exception is classified by the same rules and excluded alike.
      </p>
      <p>
        Missing rewards that a reading keeps count as in the recorded score. Running, missing and unreadable
        trials are excluded from all readings.
      </p>
    </Methods>
  );
}

function nameClasses(excludedAs: Exclusion): string {
  return listClasses({ excludedAs })
    .map((one) => CLASSES[one].words)
    .join(", ");
}

function formatEnd(value: number): string {
  return String(Number(value.toPrecision(2)));
}

function Reading({ value, nMoved }: { value: string; nMoved: number | null }) {
  const moved = nMoved === null ? "not known yet" : nMoved === 0 ? "same" : formatPlural(nMoved, "trial");
  return (
    <>
      {value} <span className="muted">{moved}</span>
    </>
  );
}

function ReadingPlot({ identity, line, end }: Pick<SensitivityRow, "identity" | "line"> & { end: number }) {
  const { drawn, recorded } = line;
  if (drawn === null) return null;
  const { least, most, ...mark } = drawn;
  return (
    <IntervalPlot
      mark={{ ...mark, identity, reach: { from: least, to: most } }}
      width={WIDTH}
      end={end}
      title={`${recorded.value}, 95 % interval ${recorded.range}; readings from ${formatReward(least)} to ${formatReward(most)}`}
    />
  );
}
