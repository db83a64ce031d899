import { DifferencePlot, DifferenceScale } from "@/components/charts/strips";
import { GroupName } from "@/components/ui/agent-name";
import { Table } from "@/components/ui/table";
import { formatSize, MISSING } from "@/lib/format/number";
import type { ComparedPair, Comparison } from "@/lib/queries/compare/page";

import { Comparability } from "./verdict";

import "./pairs-table.css";

/** The first group against each of the others, all of them adjusted for how many there are. */
export function PairsTable({ comparison }: { comparison: Comparison }) {
  const first = comparison.groups[0];
  if (first === undefined) return null;
  const axis = comparison.pairs.find((pair) => pair.axis !== null)?.axis ?? null;
  const isRate = comparison.pairs.every(({ comparison: one }) => one.kind === "unavailable" || one.isRate);
  const columns = [
    { id: "other", label: "Group" },
    { id: "verdict", label: `vs ${first.label}` },
    {
      id: "difference",
      label: isRate ? "Difference, points" : "Difference",
      numeric: true,
      title: `This group minus ${first.label}, mean reward`,
    },
    { id: "interval", label: "95 % interval", numeric: true },
    {
      id: "plot",
      label: (
        <>
          <span className="screen-reader">Interval, drawn</span>
          {axis === null ? null : <DifferenceScale ticks={axis.ticks} />}
        </>
      ),
      width: 220,
      minor: true,
    },
    { id: "p", label: "p-value", numeric: true },
    { id: "record", label: "Won, tied, lost", numeric: true },
    {
      id: "detects",
      label: "Smallest detectable",
      numeric: true,
      title: "The smallest true difference that 80 of 100 such comparisons would show",
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
      {comparison.adjustment === null ? null : <p className="caption">{comparison.adjustment}</p>}
      <dl className="pairs-checks">
        <Comparability comparison={comparison} />
      </dl>
    </section>
  );
}

function PairRow({ pair }: { pair: ComparedPair }) {
  const { comparison, other, words } = pair;
  const name = (
    <td className="name">
      <GroupName group={other} />
    </td>
  );
  if (comparison.kind === "unavailable") {
    return (
      <tr>
        {name}
        <td className="muted" colSpan={8}>
          {words.sentence}
        </td>
      </tr>
    );
  }
  const { isRate, detectable } = comparison;
  return (
    <tr>
      {name}
      <td title={words.detail ?? words.sentence}>{words.verdict}</td>
      <td className="numeric">{words.difference}</td>
      <td className="numeric muted" title={words.intervalBasis ?? undefined}>
        {words.interval ?? MISSING}
      </td>
      <td className="minor pairs-plot">
        {pair.axis === null ? null : <DifferencePlot axis={pair.axis} compact />}
      </td>
      <td className="numeric" title={words.pBasis ?? undefined}>
        {words.pValue ?? MISSING}
      </td>
      <td className="numeric">
        {comparison.won}, {comparison.tied}, {comparison.lost}
      </td>
      <td className="numeric minor muted">
        {detectable.kind === "unavailable" ? MISSING : formatSize(detectable.difference, isRate)}
      </td>
      <td className="numeric">{comparison.nTasks}</td>
    </tr>
  );
}
