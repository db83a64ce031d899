import { SoftLink } from "@/components/ui/soft-link";
import type { DistributionBar, DistributionPlot } from "@/lib/charts/distribution-plot";
import { drawStripMark, placeOnStrip } from "@/lib/charts/interval-strip";
import { formatPlural } from "@/lib/format/number";

import "./distribution-figure.css";

/** Width of a histogram in pixels; as in the sheet, which places what can be clicked. */
export const DISTRIBUTION_WIDTH = 134;
const SCALE = { end: 1, width: DISTRIBUTION_WIDTH };
const BARS_HEIGHT = 26;
const HEIGHT = 44;
/** A bar of one trial among a thousand is still seen. */
const LEAST_HEIGHT = 1.5;

/**
 * A histogram over 0 to 1 with the mean and its interval on the same scale below, in the colour of an agent. The darker part
 * of the first and the last bar lies exactly at the end. Each bar leads to its trials for those with a pointer; whoever has
 * none finds the same numbers as links in the table of counts.
 */
export function DistributionFigure({
  plot,
  identity,
  hrefOf,
}: {
  plot: DistributionPlot;
  identity: number;
  hrefOf: (bar: DistributionBar) => Parameters<typeof SoftLink>[0]["href"];
}) {
  return (
    <div className={`distribution identity-${identity}`}>
      <svg
        width={DISTRIBUTION_WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={plot.summary}
        dangerouslySetInnerHTML={{ __html: draw(plot, identity) }}
      />
      <div aria-hidden="true">
        {plot.bars.map((bar) => (
          <SoftLink
            key={bar.bin}
            className={`distribution-bin distribution-bin-${bar.bin}`}
            href={hrefOf(bar)}
            tabIndex={-1}
            title={`${bar.range}: ${formatPlural(bar.count, "trial")}`}
          />
        ))}
      </div>
    </div>
  );
}

/** Numbers alone: a page has hundreds of these, and as elements each bar would be drawn twice, here and in the browser. */
function draw({ bars, mean, low, high }: DistributionPlot, identity: number): string {
  const column = (bar: DistributionBar, height: number) => {
    const [left, right] = [placeOnStrip(bar.from, SCALE) + 0.5, placeOnStrip(bar.to, SCALE) - 0.5];
    const top = Math.round((BARS_HEIGHT - Math.max(LEAST_HEIGHT, height * BARS_HEIGHT)) * 10) / 10;
    return `M${left} ${BARS_HEIGHT}V${top}H${right}V${BARS_HEIGHT}z`;
  };
  const ends = bars.filter(({ endHeight }) => endHeight > 0);
  return (
    `<path class="distribution-bars" d="${bars.map((bar) => column(bar, bar.height)).join("")}"/>` +
    `<path class="distribution-ends" d="${ends.map((bar) => column(bar, bar.endHeight)).join("")}"/>` +
    `<path class="distribution-base" d="M${placeOnStrip(0, SCALE)} ${BARS_HEIGHT + 0.5}H${placeOnStrip(1, SCALE)}"/>` +
    `<g transform="translate(0 ${BARS_HEIGHT})">${drawStripMark({ value: mean, low, high, identity }, SCALE)}</g>`
  );
}
