import type { Route } from "next";

import { AgentName } from "@/components/ui/agent-name";
import { IntervalPlot } from "@/components/ui/interval-plot";
import { SoftLink } from "@/components/ui/soft-link";
import { describeMean, formatCount, formatRange, formatReward, MISSING } from "@/lib/format/number";
import type { MeanBounds } from "@/lib/stats";
import type { JobGroup } from "@/lib/queries/job/page";
import type { GroupSummary } from "@/lib/store";

/** A count that opens its trials; zero is muted and opens nothing. */
export function CountCell({ count, href, minor = false }: { count: number; href: Route; minor?: boolean }) {
  const className = `numeric${minor ? " minor" : ""}${count === 0 ? " zero" : ""}`;
  return (
    <td className={className}>
      {count === 0 ? (
        "0"
      ) : (
        <SoftLink className="quiet" href={href}>
          {formatCount(count)}
        </SoftLink>
      )}
    </td>
  );
}

/** The bounds to show beside Harbor's mean, or null when there are none. */
export function selectBounds(summary: GroupSummary): MeanBounds | null {
  const { interval } = summary;
  if (interval.kind !== "computed" || interval.bounds.kind !== "computed") return null;
  return interval.bounds;
}

/** An interval as a column of a table has room for it: `0.47 to 0.77`. */
export function formatBounds(bounds: MeanBounds | null): string {
  return bounds === null ? MISSING : formatRange(bounds, (value) => formatReward(value, 2));
}

/** Written and drawn interval of a group's mean. */
export function IntervalCells({
  summary,
  identity,
  basis,
  width = 108,
  showMean = false,
  isWidthSpare = false,
}: {
  summary: GroupSummary;
  identity: number;
  /** Basis of mean and interval, in words, or why there is none. */
  basis: string;
  width?: number;
  /** Says the mean that the interval is around, where the number beside it is another. */
  showMean?: boolean;
  /** Drops the written interval before the drawn interval, in tables that have little room. */
  isWidthSpare?: boolean;
}) {
  const bounds = summary.nRewardKeys > 1 && summary.headline === null ? null : selectBounds(summary);
  const mean = summary.interval.kind === "computed" ? summary.interval.mean : null;
  const title = bounds === null || mean === null ? basis : `${describeMean(mean, bounds)}: ${basis}`;
  return (
    <>
      <td className={`numeric muted ${isWidthSpare ? "spare" : "minor"}`} title={title}>
        {showMean && mean !== null ? `${formatReward(mean)} ` : null}
        {formatBounds(bounds)}
      </td>
      <td className="interval-cell minor">
        <IntervalPlot
          title={title}
          width={width}
          mark={
            bounds === null || mean === null
              ? null
              : { value: mean, low: bounds.low, high: bounds.high, identity }
          }
        />
      </td>
    </>
  );
}

/** The agent and model of a group; its key where the job has no such group. */
export function GroupAgent({ groups, groupKey }: { groups: readonly JobGroup[]; groupKey: string }) {
  const found = groups.find(({ group }) => group.key === groupKey);
  if (found === undefined) return groupKey;
  return <AgentName identity={found.identity} agent={found.group.agent} model={found.group.model} />;
}
