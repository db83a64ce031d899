import type { DifferenceAxis } from "@/lib/charts/difference-axis";

import "./difference-plot.css";

const INSET = 18;

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

/** A paired difference with its interval, and below it, in grey, what the pair is too small to detect. */
export function DifferencePlot({ axis, compact = false }: { axis: DifferenceAxis; compact?: boolean }) {
  const height = compact ? 24 : 62;
  const bottom = compact ? 24 : 44;
  const middle = compact ? 12 : 16;
  return (
    <svg
      className="difference"
      height={height}
      style={{ width: `calc(100% - ${2 * INSET}px)` }}
      role="img"
      aria-label={axis.summary}
    >
      <title>{axis.summary}</title>
      {axis.ticks.map((tick) => (
        <g key={tick.value}>
          <line
            className={tick.value === 0 ? "difference-zero" : "difference-grid"}
            x1={percent(tick.at)}
            x2={percent(tick.at)}
            y1={compact ? 0 : 4}
            y2={bottom}
          />
          {compact ? null : (
            <text x={percent(tick.at)} y={58} textAnchor="middle">
              {tick.label}
            </text>
          )}
        </g>
      ))}
      {axis.undetectable === null || compact ? null : (
        <line
          className="difference-blind"
          x1={percent(axis.undetectable.low)}
          x2={percent(axis.undetectable.high)}
          y1={36}
          y2={36}
        />
      )}
      {axis.low === null || axis.high === null ? null : (
        <g className="difference-interval">
          <line x1={percent(axis.low)} x2={percent(axis.high)} y1={middle} y2={middle} />
          {[axis.low, axis.high].map((end, index) => (
            <line key={index} x1={percent(end)} x2={percent(end)} y1={middle - 5} y2={middle + 5} />
          ))}
        </g>
      )}
      <circle className="difference-value" cx={percent(axis.at)} cy={middle} r={compact ? 4 : 5} />
    </svg>
  );
}

/** The numbers of the scale that a column of compact plots shares, for its heading: its two ends and 0. */
export function DifferenceScale({ ticks }: Pick<DifferenceAxis, "ticks">) {
  const shown = ticks.filter(({ value }, index) => value === 0 || index === 0 || index === ticks.length - 1);
  return (
    <svg
      className="difference"
      height={16}
      style={{ width: `calc(100% - ${2 * INSET}px)` }}
      aria-hidden="true"
    >
      {shown.map((tick) => (
        <text key={tick.value} x={percent(tick.at)} y={12} textAnchor="middle">
          {tick.label}
        </text>
      ))}
    </svg>
  );
}
