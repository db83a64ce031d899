import { DifferencePlot, DifferenceScale } from "@/components/charts/difference-plot";
import { GroupName } from "@/components/charts/group-mark";
import { Table } from "@/components/ui/table";
import { MISSING } from "@/lib/format/number";
import type { ComparedPair, Comparison } from "@/lib/queries/compare-page";

import { Comparability, formatDifference, formatP } from "./verdict";

import "./pairs-table.css";

/** The first group against each of the others, with p adjusted for how many there are. */
export function PairsTable({ comparison }: { comparison: Comparison }) {
  const first = comparison.groups[0];
  if (first === undefined) return null;
  const axis = comparison.pairs.find((pair) => pair.axis !== null)?.axis ?? null;
  const columns = [
    { id: "other", label: "Group" },
    { id: "verdict", label: `Against ${first.label}` },
    {
      id: "difference",
      label: "Difference, points",
      numeric: true,
      title: `This group minus ${first.label}, mean reward`,
    },
    { id: "interval", label: "95 % interval", numeric: true },
    { id: "plot", label: <PlotHeading axis={axis} />, width: 220, minor: true },
    {
      id: "p",
      label: "p, adjusted",
      numeric: true,
      title: "Sign flip, adjusted by Holm for the number of pairs",
    },
    { id: "record", label: "Won, tied, lost", numeric: true },
    {
      id: "detects",
      label: "Detects",
      numeric: true,
      title: "Smallest true difference found with 80 % power",
      minor: true,
    },
    { id: "tasks", label: "Tasks", numeric: true },
  ];
  return (
    <section className="section pairs" aria-label="Differences">
      <Table caption={`Differences from ${first.label}`} columns={columns}>
        <tbody>
          {comparison.pairs.map((pair) => (
            <PairRow key={pair.other.id} pair={pair} />
          ))}
        </tbody>
      </Table>
      <dl className="pairs-checks">
        <Comparability comparison={comparison} />
      </dl>
    </section>
  );
}

function PlotHeading({ axis }: Pick<ComparedPair, "axis">) {
  return (
    <>
      <span className="screen-reader">Interval, drawn</span>
      {axis === null ? null : <DifferenceScale ticks={axis.ticks} />}
    </>
  );
}

function PairRow({ pair }: { pair: ComparedPair }) {
  const { comparison, other } = pair;
  if (comparison.kind === "unavailable") {
    return (
      <tr>
        <td className="name">
          <GroupName group={other} />
        </td>
        <td className="muted" colSpan={8}>
          {pair.sentence}
        </td>
      </tr>
    );
  }
  const { bounds, isRate, detectable } = comparison;
  return (
    <tr>
      <td className="name">
        <GroupName group={other} />
      </td>
      <td title={pair.detail ?? pair.sentence}>{pair.standing}</td>
      <td className="numeric">{formatDifference(comparison.difference, isRate)}</td>
      <td className="numeric muted">
        {bounds.kind === "unavailable"
          ? MISSING
          : `${formatDifference(bounds.low, isRate)} to ${formatDifference(bounds.high, isRate)}`}
      </td>
      <td className="minor pairs-plot">
        {pair.axis === null ? null : <DifferencePlot axis={pair.axis} compact />}
      </td>
      <td className="numeric">{pair.adjustedP === null ? MISSING : formatP(pair.adjustedP)}</td>
      <td className="numeric">
        {comparison.won}, {comparison.tied}, {comparison.lost}
      </td>
      <td className="numeric minor muted">
        {detectable.kind === "unavailable"
          ? MISSING
          : formatDifference(detectable.difference, isRate).replace("+", "")}
      </td>
      <td className="numeric">{comparison.nTasks}</td>
    </tr>
  );
}
