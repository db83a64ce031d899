"use client";

import { Pin } from "lucide-react";

import { BaselinePlot, DifferencePlot, DifferenceScale } from "@/components/charts/strips";
import { CommandKey } from "@/components/shell/command-key";
import { GroupName } from "@/components/ui/agent-name";
import { Table } from "@/components/ui/table";
import type { ChartGroup } from "@/lib/core/charts/chart-group";
import type { DifferenceAxis } from "@/lib/core/charts/difference-axis";
import { MISSING } from "@/lib/core/format/number";

export interface ForestGroup {
  readonly group: ChartGroup;
  readonly mean: { readonly value: string | null; readonly range: string | null; readonly basis?: string };
}

export interface ForestLine extends ForestGroup {
  readonly at: number;
  readonly sentence: string;
  readonly pair: {
    readonly axis: Omit<DifferenceAxis, "ticks"> | null;
    readonly difference: string | null;
    readonly interval: string | null;
    readonly intervalBasis: string | null;
    readonly pValue: string | null;
    readonly pBasis: string | null;
    readonly verdict: string;
    readonly isClear: boolean;
    readonly detects: string | null;
    readonly record: string;
    readonly nTasks: number;
  } | null;
}

/** Rendered in the browser too: a row's data is a fifth of its markup. */
export function ForestTable({
  baseline,
  ticks,
  isRate,
  before,
  after,
}: {
  baseline: ForestGroup;
  ticks: DifferenceAxis["ticks"] | null;
  isRate: boolean;
  before: readonly ForestLine[];
  after: readonly ForestLine[];
}) {
  const row = (line: ForestLine) => <ForestRow key={line.at} line={line} ticks={ticks ?? []} />;
  return (
    <Table
      className="table-compact"
      caption={`Differences from ${baseline.group.label}`}
      columns={listColumns(baseline.group.label, ticks, isRate)}
    >
      <tbody>
        {before.map(row)}
        <BaselineRow baseline={baseline} ticks={ticks} nOthers={before.length + after.length} />
        {after.map(row)}
      </tbody>
    </Table>
  );
}

function listColumns(baseline: string, ticks: DifferenceAxis["ticks"] | null, isRate: boolean) {
  return [
    { id: "group", label: "Group" },
    { id: "score", label: "Mean", numeric: true, title: "Mean reward with its own 95 % interval" },
    {
      id: "plot",
      label: (
        <>
          <span className="screen-reader">Difference and interval, drawn</span>
          {ticks === null ? null : <DifferenceScale ticks={ticks} />}
        </>
      ),
      width: 232,
    },
    {
      id: "difference",
      label: isRate ? "Difference, points" : "Difference",
      numeric: true,
      title: `This group minus ${baseline}, mean reward`,
    },
    { id: "interval", label: "95 % interval", numeric: true },
    { id: "p", label: "p-value", numeric: true },
    { id: "verdict", label: "vs baseline", title: `vs ${baseline}` },
    {
      id: "detects",
      label: "Detectable",
      numeric: true,
      title: "The smallest true difference that 80 of 100 such comparisons would detect",
      minor: true,
    },
    { id: "record", label: "Won, tied, lost", numeric: true, minor: true },
  ];
}

function BaselineRow({
  baseline: { group, mean },
  ticks,
  nOthers,
}: {
  baseline: ForestGroup;
  ticks: DifferenceAxis["ticks"] | null;
  nOthers: number;
}) {
  return (
    <tr className="forest-baseline" aria-label={`Baseline ${group.label}`}>
      <td className="name">
        <GroupName group={group} />
        <span className="forest-pinned">
          <Pin size={12} aria-hidden /> baseline <CommandKey id="compare.baseline" />
        </span>
      </td>
      <MeanCell mean={mean} />
      <td className="forest-plot">{ticks === null ? null : <BaselinePlot ticks={ticks} group={group} />}</td>
      <td className="numeric">0</td>
      <td className="muted" colSpan={3}>
        the other {nOthers} are compared with this one
      </td>
      <td className="minor" colSpan={2} />
    </tr>
  );
}

function MeanCell({ mean: { value, range, basis } }: Pick<ForestGroup, "mean">) {
  return (
    <td className={value === null ? "numeric unknown" : "numeric"} title={basis}>
      {value ?? MISSING}
      {range === null ? null : <span className="forest-range">{range}</span>}
    </td>
  );
}

function ForestRow({ line, ticks }: { line: ForestLine; ticks: DifferenceAxis["ticks"] }) {
  const { at, group, mean, sentence, pair } = line;
  const name = (
    <>
      <td className="name">
        <button
          type="button"
          className="quiet forest-name"
          title={`${group.fullName ?? group.label}. Compare all with this one`}
          data-row-link=""
          data-row-baseline={at}
        >
          <GroupName group={group} />
        </button>
      </td>
      <MeanCell mean={mean} />
    </>
  );
  if (pair === null) {
    return (
      <tr>
        {name}
        <td className="muted" colSpan={7}>
          {sentence}
        </td>
      </tr>
    );
  }
  const { axis, isClear } = pair;
  return (
    <tr>
      {name}
      <td className="forest-plot">
        {axis === null ? null : <DifferencePlot axis={{ ...axis, ticks }} group={group} compact />}
      </td>
      <td className="numeric">{pair.difference}</td>
      <td className="numeric muted" title={pair.intervalBasis ?? undefined}>
        {pair.interval ?? MISSING}
      </td>
      <td className="numeric" title={pair.pBasis ?? undefined}>
        {pair.pValue ?? MISSING}
      </td>
      <td className={isClear ? "forest-clear" : "muted"} title={sentence}>
        {pair.verdict}
      </td>
      <td className="numeric minor muted">{pair.detects ?? MISSING}</td>
      <td className="numeric minor" title={`${pair.nTasks} tasks of both`}>
        {pair.record}
      </td>
    </tr>
  );
}
