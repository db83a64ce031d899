import { SoftLink } from "@/components/ui/soft-link";
import type { DistributionBar, DistributionPlot } from "@/lib/charts/distribution-plot";
import { formatPlural } from "@/lib/format/number";

import "./distribution-figure.css";

/** As in the sheet, which places what can be clicked. */
const WIDTH = 134;
const INSET = 7;
const BARS_HEIGHT = 26;
const HEIGHT = 44;
const MIDDLE = 36;
/** A bar of one trial among a thousand is still seen. */
const LEAST_HEIGHT = 1.5;

function place(share: number): number {
  return Math.round((INSET + Math.min(1, Math.max(0, share)) * (WIDTH - 2 * INSET)) * 10) / 10;
}

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
        width={WIDTH}
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
    const left = place(bar.from) + 0.5;
    const top = Math.round((BARS_HEIGHT - Math.max(LEAST_HEIGHT, height * BARS_HEIGHT)) * 10) / 10;
    return `M${left} ${BARS_HEIGHT}V${top}H${place(bar.to) - 0.5}V${BARS_HEIGHT}z`;
  };
  const ends = bars.filter(({ endHeight }) => endHeight > 0);
  const interval =
    low === null || high === null
      ? ""
      : `<path class="distribution-interval" d="M${place(low)} ${MIDDLE}H${place(high)}M${place(low)} ${MIDDLE - 3}v6M${place(high)} ${MIDDLE - 3}v6"/>`;
  return (
    `<path class="distribution-bars" d="${bars.map((bar) => column(bar, bar.height)).join("")}"/>` +
    `<path class="distribution-ends" d="${ends.map((bar) => column(bar, bar.endHeight)).join("")}"/>` +
    `<path class="distribution-base" d="M${INSET} ${BARS_HEIGHT + 0.5}H${WIDTH - INSET}"/>` +
    `${interval}<use href="#dot-${identity}" x="${place(mean)}" y="${MIDDLE - 10}"/>`
  );
}

/** The scale of a column of histograms, for its heading. */
export function DistributionScale() {
  return (
    <span className="distribution-scale" aria-hidden="true">
      <span>0</span>
      <span>0.5</span>
      <span>1</span>
    </span>
  );
}
