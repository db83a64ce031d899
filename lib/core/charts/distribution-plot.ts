import { describeMean } from "@/lib/core/format/number";
import { DIMENSION_EDGES, type EndEffects, type MeanBounds } from "@/lib/core/stats";

import { placeInterval, withBounds } from "./interval-strip";

/** All on the scale from 0 to 1. */
export interface DistributionInput {
  readonly mean: number;
  readonly bounds: MeanBounds | null;
  readonly n: number;
  readonly counts: readonly number[];
  readonly ends: EndEffects;
}

export interface DistributionBin {
  readonly bin: number;
  readonly from: number;
  readonly to: number;
  readonly isClosed: boolean;
  readonly range: string;
}

export const DISTRIBUTION_BINS: readonly DistributionBin[] = DIMENSION_EDGES.slice(1).map((to, bin) => {
  const from = DIMENSION_EDGES[bin] ?? 0;
  const isClosed = to === 1;
  return { bin, from, to, isClosed, range: isClosed ? `${from} to ${to}` : `${from} to below ${to}` };
});

/** Heights are shares of the tallest. */
export interface DistributionBar extends DistributionBin {
  readonly height: number;
  /** Height of the part exactly at the end of the scale; 0 for bars within. */
  readonly endHeight: number;
  readonly count: number;
}

/** Returns the largest share of its values that a distribution has in one bin: full height for all of them. */
export function findTallest(distributions: readonly (DistributionInput | null)[]): number {
  return Math.max(
    0,
    ...distributions.flatMap((one) => (one === null ? [] : one.counts.map((count) => count / one.n))),
  );
}

export type DistributionPlot = ReturnType<typeof prepareDistribution>;

/** @param tallest - {@link findTallest} over everything on one scale */
export function prepareDistribution(input: DistributionInput, tallest: number) {
  const { counts, ends, n, mean, bounds } = input;
  const bars = DISTRIBUTION_BINS.flatMap((bin): DistributionBar[] => {
    const count = counts[bin.bin] ?? 0;
    if (count === 0) return [];
    const atEnd = bin.bin === 0 ? ends.nFloor : bin.isClosed ? ends.nCeiling : 0;
    return [{ ...bin, height: scale(count / n, tallest), endHeight: scale(atEnd / n, tallest), count }];
  });
  const listed = bars.map(({ range, count }) => `${range}: ${count}`).join(", ");
  return {
    bars,
    interval: placeInterval(withBounds(mean, bounds), { low: 0, high: 1 }),
    summary: `Mean ${describeMean(mean, bounds)}. Trials by share, ${listed}`,
  };
}

function scale(part: number, tallest: number): number {
  return tallest === 0 ? 0 : part / tallest;
}
