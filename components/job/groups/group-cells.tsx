import type { Route } from "next";

import { IntervalPlot } from "@/components/ui/interval-plot";
import { SoftLink } from "@/components/ui/soft-link";
import { formatCount, formatReward, MISSING } from "@/lib/format/number";
import type { MeanBounds } from "@/lib/stats";
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

/** Beyond this an interval on a scale from 0 to 1 is cut at both ends, and half a width says nothing. */
const WIDEST_HALF = 0.5;

/** `±0.146`, or the open end of a one-sided interval as `≥ 0.875`, or `0.2–0.9` where it is not symmetric. */
export function formatBounds(bounds: MeanBounds | null): string {
  if (bounds === null) return MISSING;
  if (bounds.halfWidth !== null && bounds.halfWidth <= WIDEST_HALF)
    return `±${formatReward(bounds.halfWidth)}`;
  if (bounds.method === "one-sided") {
    return bounds.high === 1 ? `≥ ${formatReward(bounds.low)}` : `≤ ${formatReward(bounds.high)}`;
  }
  return `${formatReward(bounds.low, 2)}–${formatReward(bounds.high, 2)}`;
}

/** Half width and drawn interval of a group's mean. */
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
  /** What mean and interval rest on, in words, or why there is none. */
  basis: string;
  width?: number;
  /** Says the mean that the interval is around, where the number beside it is another. */
  showMean?: boolean;
  /** Drops the half width before the drawn interval, in tables that have little room. */
  isWidthSpare?: boolean;
}) {
  const bounds = summary.nRewardKeys > 1 && summary.headline === null ? null : selectBounds(summary);
  const mean = summary.interval.kind === "computed" ? summary.interval.mean : null;
  const title =
    bounds === null || mean === null
      ? basis
      : `${formatReward(mean)}, ${formatReward(bounds.low)} to ${formatReward(bounds.high)}: ${basis}`;
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
