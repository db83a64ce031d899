import { percent } from "@/components/ui/interval-plot";
import type { SaturationChart } from "@/lib/core/charts/saturation-chart";

import "./saturation-figure.css";

const HEIGHT = 120;
/** Side of the square for the line before it is stretched over the plot. */
const PATH_SIZE = 1000;

export function SaturationFigure({ chart }: { chart: SaturationChart }) {
  return (
    <figure className="saturation">
      <svg className="saturation-plot" role="img" aria-label={chart.summary} height={HEIGHT}>
        {chart.yTicks.map(({ value, label, at }) => {
          const y = (1 - at) * HEIGHT;
          return (
            <g key={value}>
              <line className="saturation-grid" x1="0" x2="100%" y1={y} y2={y} />
              <text className="saturation-tick" x={-8} y={y + 4} textAnchor="end">
                {label}
              </text>
            </g>
          );
        })}
        {chart.xTicks.map(({ value, label, at }) => (
          <text
            key={value}
            className="saturation-tick"
            x={percent(at)}
            y={HEIGHT + 18}
            textAnchor={at === 0 ? "start" : at > 0.95 ? "end" : "middle"}
          >
            {label}
          </text>
        ))}
        <svg
          viewBox={`0 0 ${PATH_SIZE} ${PATH_SIZE}`}
          preserveAspectRatio="none"
          width="100%"
          height={HEIGHT}
          overflow="visible"
        >
          <path className="saturation-line" d={drawSteps(chart.corners)} vectorEffect="non-scaling-stroke" />
        </svg>
      </svg>
      <figcaption className="caption">Reviews, in order. Vertical: different categories so far.</figcaption>
    </figure>
  );
}

function drawSteps(corners: SaturationChart["corners"]): string {
  return corners
    .map(({ at, top }, index) => {
      const [x, y] = [at, top].map((share) => (share * PATH_SIZE).toFixed(1));
      return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
    })
    .join("");
}

export function SaturationTable({ points }: Pick<SaturationChart, "points">) {
  return (
    <details className="saturation-table">
      <summary>Table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Reviews</th>
            <th scope="col">Different categories</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ review, count }) => (
            <tr key={`${review} ${count}`}>
              <td className="numeric">{review}</td>
              <td className="numeric">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
