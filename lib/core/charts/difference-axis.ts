import { formatDifference, formatDifferenceRange } from "@/lib/core/format/number";
import type { PairedComparison, Unavailable } from "@/lib/core/stats";

import { placeInterval, withBounds } from "./interval-strip";
import { formatPointTick, placeOn, selectRoundValues, type Span, type Tick } from "./ticks";

/** A difference with any interval around it. */
export type DrawnDifference = Pick<PairedComparison, "difference" | "detectable" | "isRate"> & {
  readonly bounds: ({ readonly kind: "computed" } & Span) | Unavailable;
};

/** Smaller differences are rounding: an axis would make them look like something. */
const LEAST_SPAN = 1e-9;

export type DifferenceAxis = ReturnType<typeof prepareDifferenceAxis>;

/** In points or the reward's unit, on one scale with the comparisons in `beside`. */
export function prepareDifferenceAxis(
  comparison: DrawnDifference,
  beside: readonly DrawnDifference[] = [comparison],
) {
  const { difference, bounds, detectable, isRate } = comparison;
  const limits = bounds.kind === "unavailable" ? null : bounds;
  const reach = detectable.kind === "unavailable" ? null : detectable.difference;
  const values = beside.flatMap(listExtent);
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const round = high - low < LEAST_SPAN ? [-0.1, 0, 0.1] : selectRoundValues(low, high, 5);
  const domain = { low: round[0] ?? -1, high: round.at(-1) ?? 1 };
  const format = isRate
    ? formatPointTick
    : (value: number) => String(Number(value.toPrecision(3))).replace("-", "−");
  const ticks: readonly Tick[] = round.map((value) => ({
    value,
    label: format(value),
    at: placeOn(value, domain),
  }));
  return {
    ticks,
    interval: placeInterval(withBounds(difference, bounds), domain),
    /** Differences on both sides of 0 that are too small for this pair to detect; null if unknown. */
    undetectable: reach === null ? null : { low: placeOn(-reach, domain), high: placeOn(reach, domain) },
    summary:
      limits === null
        ? `Difference ${formatDifference(difference, isRate)}, no interval`
        : `Difference ${formatDifference(difference, isRate)}, interval ${formatDifferenceRange(limits, isRate)}`,
  };
}

export function prepareDifferenceScale(comparisons: readonly PairedComparison[]) {
  if (comparisons.length === 0) return null;
  const reach = comparisons.flatMap(({ difference, bounds }) =>
    bounds.kind === "unavailable" ? [difference] : [difference, bounds.low, bounds.high],
  );
  // Rates differ by 1 at most, and one wide interval must not press all others together.
  const most = Math.min(1, Math.max(0.05, ...reach.map(Math.abs)));
  const end = selectRoundValues(0, most, 2).at(-1) ?? most;
  const domain = { low: -end, high: end };
  return {
    domain,
    ticks: [-end, 0, end].map((value) => ({
      value,
      label: formatPointTick(value),
      at: placeOn(value, domain),
    })),
  };
}

function listExtent({ difference, bounds, detectable }: DrawnDifference): readonly number[] {
  const limits = bounds.kind === "unavailable" ? [] : [bounds.low, bounds.high];
  const reach = detectable.kind === "unavailable" ? [] : [detectable.difference, -detectable.difference];
  return [difference, ...limits, ...reach];
}
