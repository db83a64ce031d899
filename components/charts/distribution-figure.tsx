import { colourOf } from "@/components/ui/agent-mark";
import { StripMark } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import type { DistributionBar, DistributionPlot } from "@/lib/core/charts/distribution-plot";
import { formatPlural } from "@/lib/core/format/number";

/** Width of a histogram, and of its inset scale, in pixels. */
export const DISTRIBUTION_WIDTH = 134;
const INSET = 7.5;
const SCALE_WIDTH = DISTRIBUTION_WIDTH - 2 * INSET;
const BARS_HEIGHT = 26;
/** Keeps a bar of one trial among a thousand visible. */
const LEAST_HEIGHT = 1.5;

/** The dark part of the end bars is exactly 0 or 1. Bars are pointer links; the table of counts has the same links. */
export function DistributionFigure({
  plot: { bars, interval, summary },
  identity,
  hrefOf,
}: {
  plot: DistributionPlot;
  identity: number;
  hrefOf: (bar: DistributionBar) => Parameters<typeof Link>[0]["href"];
}) {
  const colour = colourOf({ identity });
  const atEnds = bars.filter(({ endHeight }) => endHeight > 0);
  return (
    <div className="distribution">
      <svg className="interval-plot" width={SCALE_WIDTH} role="img" aria-label={summary}>
        <path
          className="distribution-bars"
          fill={colour}
          fillOpacity={0.38}
          d={bars.map((bar) => drawColumn(bar, bar.height)).join("")}
        />
        <path fill={colour} d={atEnds.map((bar) => drawColumn(bar, bar.endHeight)).join("")} />
        <path className="distribution-base" d={`M0 ${BARS_HEIGHT + 0.5}H${SCALE_WIDTH}`} />
        <StripMark interval={interval} group={{ identity }} y={BARS_HEIGHT + 10} />
      </svg>
      <div aria-hidden="true">
        {bars.map((bar) => (
          <Link
            key={bar.bin}
            className="distribution-bin"
            style={{ left: INSET + bar.from * SCALE_WIDTH, width: (bar.to - bar.from) * SCALE_WIDTH }}
            href={hrefOf(bar)}
            tabIndex={-1}
            title={`${bar.range}: ${formatPlural(bar.count, "trial")}`}
          />
        ))}
      </div>
    </div>
  );
}

function drawColumn({ from, to }: DistributionBar, height: number): string {
  const left = (from * SCALE_WIDTH + 0.5).toFixed(1);
  const right = (to * SCALE_WIDTH - 0.5).toFixed(1);
  const top = (BARS_HEIGHT - Math.max(LEAST_HEIGHT, height * BARS_HEIGHT)).toFixed(1);
  return `M${left} ${BARS_HEIGHT}V${top}H${right}V${BARS_HEIGHT}z`;
}
