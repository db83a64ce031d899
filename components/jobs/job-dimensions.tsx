import { AgentMark } from "@/components/ui/agent-name";
import { ExactNumber } from "@/components/ui/exact-number";
import { IntervalPlot } from "@/components/ui/interval-plot";
import { Notice } from "@/components/ui/notice";
import { type Column, Table } from "@/components/ui/table";
import { formatCount, formatReward, MISSING } from "@/lib/format/number";
import type { JobGroup, JobPage } from "@/lib/queries/job-page";
import type { DimensionRow, DimensionsPanel } from "@/lib/queries/job-page-dimensions";

import { FindingsOutdated, FindingsReading } from "./findings-reading";
import { formatBounds } from "./group-cells";
import { IntervalHeading } from "./job-group-lines";

import "./job-page.css";

function listColumns(groups: readonly JobGroup[]): readonly Column[] {
  const each = groups.flatMap(({ group, identity }): Column[] => [
    {
      id: `${group.key} mean`,
      numeric: true,
      label: (
        <span className="agent-name" title={group.key}>
          <AgentMark identity={identity} />
          {group.agent}
        </span>
      ),
    },
    { id: `${group.key} width`, label: "± 95 %", numeric: true, minor: true },
    { id: `${group.key} plot`, label: <IntervalHeading />, minor: true },
    { id: `${group.key} n`, label: "Trials", numeric: true },
    { id: `${group.key} missing`, label: "Missing", numeric: true },
  ]);
  return [{ id: "name", label: "Dimension" }, ...each];
}

/** The dimensions tab: the mean share of each dimension by group. */
export function JobDimensions({ page, panel }: { page: JobPage; panel: DimensionsPanel }) {
  const { rows, state } = panel;
  if (rows.length === 0 && state === "reading") return <FindingsReading what="Dimensions" />;
  if (rows.length === 0) {
    return (
      <Notice title="No dimensions">
        No trial of this job has a breakdown of its reward. Verifiers write one as{" "}
        <code>reward-details.json</code> or <code>details.json</code> into the trial&rsquo;s verifier folder.
      </Notice>
    );
  }
  return (
    <>
      {state === "reading" ? <FindingsOutdated /> : null}
      <Table caption="Mean share of each dimension" columns={listColumns(page.groups)}>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td className="name">{row.name}</td>
              {row.cells.map((cell, index) => {
                const group = page.groups[index];
                return (
                  <DimensionCells
                    key={group?.group.key ?? index}
                    cell={cell}
                    identity={group?.identity ?? 0}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="caption table-note">
        Score as a share of its maximum. Trials that do not state a dimension are missing and are in no mean.
        Interval: 95 %, tasks as clusters.
      </p>
    </>
  );
}

function DimensionCells({ cell, identity }: { cell: DimensionRow["cells"][number]; identity: number }) {
  if (cell === null) {
    return (
      <>
        <td className="numeric unknown">{MISSING}</td>
        <td className="minor" />
        <td className="minor" />
        <td className="numeric zero">0</td>
        <td className="numeric unknown">{MISSING}</td>
      </>
    );
  }
  const { bounds, mean, n, nMissing } = cell;
  const title =
    bounds === null
      ? "No interval"
      : `${formatReward(mean)}, 95 % from ${formatReward(bounds.low)} to ${formatReward(bounds.high)}`;
  return (
    <>
      <td className="numeric">
        <ExactNumber shown={formatReward(mean)} exact={String(mean)} />
      </td>
      <td className="numeric muted minor">{formatBounds(bounds)}</td>
      <td className="interval-cell minor">
        <IntervalPlot
          title={title}
          mark={bounds === null ? null : { value: mean, low: bounds.low, high: bounds.high, identity }}
        />
      </td>
      <td className="numeric">{formatCount(n)}</td>
      <td className={nMissing === 0 ? "numeric zero" : "numeric"}>{formatCount(nMissing)}</td>
    </>
  );
}
