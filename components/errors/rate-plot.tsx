import { IntervalPlot, IntervalScale } from "@/components/ui/interval-plot";
import type { RateInterval, Unavailable } from "@/lib/core/stats";

import { describeRate } from "./error-words";

/** Upper ends of the scale that read well in percent. */
const ENDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const;

/** Returns the smallest round upper end that covers every interval of a column. */
export function selectRateEnd(rates: readonly (RateInterval | Unavailable)[]): number {
  const highest = Math.max(0, ...rates.map((rate) => (rate.kind === "computed" ? rate.high : 0)));
  return ENDS.find((end) => end >= highest) ?? 1;
}

export function RatePlot({
  rate,
  end,
  width = 150,
  identity,
}: {
  rate: RateInterval | Unavailable;
  end: number;
  width?: number;
  identity?: number;
}) {
  const mark =
    rate.kind === "unavailable" ? null : { value: rate.rate, low: rate.low, high: rate.high, identity };
  return <IntervalPlot mark={mark} end={end} width={width} title={describeRate(rate)} />;
}

export function RateScale({ end, width = 150 }: { end: number; width?: number }) {
  const percent = (share: number) => String(Number((share * 100).toFixed(2)));
  return (
    <>
      <span className="screen-reader">Rate with its interval</span>
      <IntervalScale width={width} labels={["0", percent(end / 2), percent(end)]} />
    </>
  );
}
