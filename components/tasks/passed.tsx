import { IntervalPlot } from "@/components/ui/interval-plot";
import { Unknown } from "@/components/ui/values";
import { formatCount } from "@/lib/core/format/number";
import type { RateInterval, Unavailable } from "@/lib/core/stats";

import { describePassed } from "./task-words";

export function PassedCells({
  rate,
  identity,
  minor = false,
}: {
  rate: RateInterval | Unavailable;
  identity?: number;
  minor?: boolean;
}) {
  return (
    <>
      <td className="numeric">
        {rate.kind === "unavailable" ? (
          <Unknown title="No finished attempts" />
        ) : (
          <>
            {formatCount(rate.count)} <span className="muted">of {formatCount(rate.n)}</span>
          </>
        )}
      </td>
      <td className={minor ? "interval-cell minor" : "interval-cell"}>
        <IntervalPlot
          mark={
            rate.kind === "unavailable"
              ? null
              : { value: rate.rate, low: rate.low, high: rate.high, identity }
          }
          title={describePassed(rate)}
        />
      </td>
    </>
  );
}
