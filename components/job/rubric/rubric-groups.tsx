import { IntervalHeading, IntervalPlot } from "@/components/ui/interval-plot";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { type Column, Table } from "@/components/ui/table";
import { describeMean, formatCount, formatReward } from "@/lib/core/format/number";
import type { MeanInterval } from "@/lib/core/stats";
import type { JobPage } from "@/lib/pages/job/page";
import type { RubricBench } from "@/lib/pages/job/rubric";

import { formatBounds, GroupAgent } from "../groups/group-cells";
import { formatChange } from "./rubric-words";

const PLOT_WIDTH = 76;

const COLUMNS: readonly Column[] = [
  { id: "rank", label: "Rank" },
  { id: "agent", label: "Agent and model" },
  { id: "before", label: "Stored mean, 95 %", numeric: true },
  { id: "before-plot", label: <IntervalHeading width={PLOT_WIDTH} />, minor: true },
  { id: "after", label: "Recomputed, 95 %", numeric: true },
  { id: "after-plot", label: <IntervalHeading width={PLOT_WIDTH} />, minor: true },
  { id: "difference", label: "Change", numeric: true },
  { id: "trials", label: "Changed", title: "Trials whose reward changes", numeric: true },
];

export function RubricGroups({ page, bench }: { page: JobPage; bench: RubricBench }) {
  if (bench.groups.length === 0) {
    return <Notice title="Nothing to rank">No trial of this family has both a reward and dimensions.</Notice>;
  }
  const identities = new Map(page.groups.map(({ group, identity }) => [group.key, identity]));
  return (
    <div>
      <Table caption="Agents by their stored and recomputed mean" columns={COLUMNS}>
        <tbody>
          {bench.groups.map((change) => {
            const identity = identities.get(change.group) ?? 0;
            return (
              <tr key={change.group}>
                <td className="nowrap">
                  {change.rankAfter} <RankMove before={change.rankBefore} after={change.rankAfter} />
                </td>
                <td>
                  <GroupAgent groups={page.groups} groupKey={change.group} />
                </td>
                <MeanCells interval={change.before} identity={identity} />
                <MeanCells interval={change.after} identity={identity} />
                <td
                  className={change.difference === 0 ? "numeric zero" : "numeric"}
                  title={String(change.difference)}
                >
                  {formatChange(change.difference)}
                </td>
                <td className={change.nChanged === 0 ? "numeric zero" : "numeric"}>
                  {formatCount(change.nChanged)} of {formatCount(change.n)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      <p className="caption table-note">
        Equal means share a rank. Where intervals overlap widely, ranks mean little.
      </p>
      <Methods>
        <p>
          Over the same trials before and after: those of this family with a reward and dimensions. Interval:
          95 %, tasks as clusters.
        </p>
      </Methods>
    </div>
  );
}

function MeanCells({ interval: { mean, bounds }, identity }: { interval: MeanInterval; identity: number }) {
  const known = bounds.kind === "computed" ? bounds : null;
  return (
    <>
      <td className="numeric" title={String(mean)}>
        {formatReward(mean)} <span className="muted">{formatBounds(known)}</span>
      </td>
      <td className="interval-cell minor">
        <IntervalPlot
          title={describeMean(mean, known)}
          width={PLOT_WIDTH}
          mark={known === null ? null : { value: mean, low: known.low, high: known.high, identity }}
        />
      </td>
    </>
  );
}

function RankMove({ before, after }: { before: number; after: number }) {
  if (before === after) return <span className="muted">same</span>;
  const moved = Math.abs(before - after);
  return (
    <b>
      {before > after ? "up" : "down"} {formatCount(moved)}
    </b>
  );
}
