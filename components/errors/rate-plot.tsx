import { AGENT_MARKER_PATHS } from "@/components/ui/agent-marker-paths";
import type { RateInterval, Unavailable } from "@/lib/stats";

import { describeRate } from "./error-words";

const INSET = 5;
const HEIGHT = 20;
const MARKER_SIZE = 10;

/** Upper ends of the scale that read well in per cent. */
const ENDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const;

/** The shortest round scale from 0 that holds every interval of a column. */
export function selectRateEnd(rates: readonly (RateInterval | Unavailable)[]): number {
  const highest = Math.max(0, ...rates.map((rate) => (rate.kind === "computed" ? rate.high : 0)));
  return ENDS.find((end) => end >= highest) ?? 1;
}

/** A rate with its interval on a scale from 0 to `end`; ink, or the colour and marker of a contender. */
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
  const words = describeRate(rate);
  const place = (share: number) => INSET + Math.min(1, share / end) * (width - 2 * INSET);
  return (
    <svg
      className={identity === undefined ? "rate-plot" : `rate-plot identity-${String(identity)}`}
      width={width}
      height={HEIGHT}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      {[0, end / 2, end].map((tick) => (
        <path
          key={tick}
          className="rate-grid"
          d={`M${String(Math.round(place(tick)))} 0V${String(HEIGHT)}`}
        />
      ))}
      {rate.kind === "unavailable" ? null : (
        <>
          <path
            className="rate-line"
            d={`M${String(place(rate.low))} 10H${String(place(rate.high))}M${String(place(rate.low))} 7v6M${String(place(rate.high))} 7v6`}
          />
          <RateMarker x={place(rate.rate)} identity={identity} />
        </>
      )}
    </svg>
  );
}

/** A dot, or the contender's own marker, so that colour never carries identity alone. */
function RateMarker({ x, identity }: { x: number; identity: number | undefined }) {
  if (identity === undefined) return <circle className="rate-dot" cx={x} cy={10} r={3.8} />;
  return (
    <path
      className={identity === 0 ? "rate-hollow" : "rate-dot"}
      transform={`translate(${String(x - MARKER_SIZE / 2)} ${String(10 - MARKER_SIZE / 2)}) scale(${String(MARKER_SIZE / 12)})`}
      d={AGENT_MARKER_PATHS[identity]}
    />
  );
}

/** The scale of a rate column in per cent, for its heading. */
export function RateScale({ end, width = 150 }: { end: number; width?: number }) {
  const percent = (share: number) => Number((share * 100).toFixed(2));
  return (
    <>
      <span className="screen-reader">Rate with its interval</span>
      <span className="rate-scale" style={{ width }} aria-hidden="true">
        <span>0</span>
        <span>{percent(end / 2)}</span>
        <span>{percent(end)}</span>
      </span>
    </>
  );
}
