import { AgentName } from "@/components/ui/agent-name";
import { type Column, Table } from "@/components/ui/table";
import { DISTRIBUTION_BINS } from "@/lib/core/charts/distribution-plot";
import { formatReward, MISSING } from "@/lib/core/format/number";
import type { DimensionCell } from "@/lib/store/tables";

import { CountCell, formatBounds } from "../groups/group-cells";
import { type DimensionTable, type RangeHref, toRange } from "./dimension-links";

const COLUMNS: readonly Column[] = [
  { id: "name", label: "Dimension" },
  { id: "agent", label: "Agent and model" },
  { id: "mean", label: "Mean", numeric: true },
  { id: "range", label: "95 % interval", numeric: true },
  { id: "trials", label: "Trials", numeric: true },
  { id: "missing", label: "Missing", numeric: true },
  { id: "floor", label: "At 0", numeric: true },
  ...DISTRIBUTION_BINS.map(({ bin, from, to, range }) => ({
    id: `bin ${bin}`,
    label: `${from} to ${to}`,
    title: range,
    numeric: true,
  })),
  { id: "ceiling", label: "At 1", numeric: true },
];

export function DimensionCounts({ section, groups, caption, hrefOf }: DimensionTable) {
  return (
    <Table caption={caption} columns={COLUMNS} compact>
      <tbody>
        {section.rows.map((row) =>
          groups.map(({ group, identity }, index) => {
            const cell = row.cells[index] ?? null;
            const nMissing = cell?.nMissing ?? section.groups[index]?.nTrials ?? 0;
            return (
              <tr
                key={`${row.name} ${group.key}`}
                className={index < groups.length - 1 ? "continued" : undefined}
              >
                {index === 0 ? (
                  <th scope="row" className="name">
                    {row.name}
                  </th>
                ) : (
                  <td>
                    <span className="screen-reader">{row.name}</span>
                  </td>
                )}
                <td>
                  <AgentName identity={identity} agent={group.agent} model={group.model} />
                </td>
                <CountCells
                  cell={cell}
                  nMissing={nMissing}
                  rangeHref={(range) => hrefOf(row.name, group.key, range)}
                />
              </tr>
            );
          }),
        )}
      </tbody>
    </Table>
  );
}

function CountCells({
  cell,
  nMissing,
  rangeHref,
}: {
  cell: DimensionCell | null;
  nMissing: number;
  rangeHref: RangeHref;
}) {
  const missing = <CountCell count={nMissing} href={rangeHref({ isShareMissing: true })} />;
  if (cell === null) {
    return (
      <>
        <td className="numeric unknown">{MISSING}</td>
        <td className="numeric unknown">{MISSING}</td>
        <td className="numeric zero">0</td>
        {missing}
        <td className="unknown" colSpan={DISTRIBUTION_BINS.length + 2} />
      </>
    );
  }
  return (
    <>
      <td className="numeric" title={String(cell.mean)}>
        {formatReward(cell.mean)}
      </td>
      <td className="numeric muted">{formatBounds(cell.bounds)}</td>
      <CountCell count={cell.n} href={rangeHref()} />
      {missing}
      <CountCell count={cell.ends.nFloor} href={rangeHref({ shareMax: 0 })} />
      {DISTRIBUTION_BINS.map((bin) => (
        <CountCell key={bin.bin} count={cell.counts[bin.bin] ?? 0} href={rangeHref(toRange(bin))} />
      ))}
      <CountCell count={cell.ends.nCeiling} href={rangeHref({ shareMin: 1 })} />
    </>
  );
}
