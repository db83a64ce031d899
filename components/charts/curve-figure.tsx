"use client";

import dynamic from "next/dynamic";

import type { CurveChart } from "@/lib/core/charts/curve-chart";
import { fitLabels, PLOT_HEIGHT, PLOT_MARGINS } from "@/lib/core/charts/curve-layout";

import { CurvePlot } from "./plot";

export function CurveFigure({ chart, room }: { chart: CurveChart; room: number }) {
  const right = Math.max(0, room - PLOT_MARGINS.right);
  return (
    <figure className="curve">
      <figcaption className="flow curve-head">
        <b>{chart.title}</b>
        <span className="muted">{chart.note}</span>
      </figcaption>
      <div className="curve-body">
        <div className="curve-plot" style={{ width: `calc(100% - ${right}px)` }}>
          <svg className="plot" role="img" aria-label={chart.summary} height={PLOT_HEIGHT}>
            <CurvePlot chart={chart} labels={fitLabels(chart, room).labels} />
          </svg>
          {chart.xTicks.length > 1 ? <CurveHover chart={chart} /> : null}
        </div>
      </div>
    </figure>
  );
}

/** Loaded lazily: the chart is readable without it. */
const CurveHover = dynamic(async () => (await import("./curve-values")).CurveValues, { ssr: false });
