import { Download, Table2 } from "lucide-react";

import { compareParamsHref, curvesHref, type CompareParams } from "@/lib/addresses/compare";
import { CurveFigure } from "@/components/charts/curve-figure";
import { formatValueOf } from "@/components/charts/curve-plot";
import { AgentMark } from "@/components/ui/agent-mark";
import { ButtonLink } from "@/components/ui/button";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import type { CurveChart } from "@/lib/charts/curve-chart";
import { fitLabels } from "@/lib/charts/curve-layout";
import { selectKTicks } from "@/lib/charts/ticks";
import { formatRange } from "@/lib/format/number";
import type { Comparison } from "@/lib/queries/compare/page";

import { CurvesTable } from "./curves-table";
import { PngButton } from "./png-button";
import { Segment } from "./segment";

import "./curves-section.css";

const MOST_SEGMENTS = 12;
/** The most that names beside a plot take, in pixels. */
const MOST_ROOM = { pair: 166, many: 190 } as const;

/** pass@k and pass^k with bands, each beside its paired difference where two groups are compared. */
export function CurvesSection({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { ks, k, charts } = comparison;
  const offered = ks.length > MOST_SEGMENTS ? selectKTicks(ks) : ks;
  const isPair = comparison.pairs.length === 1;
  const isSingle = ks.length < 2;
  const most = isPair ? MOST_ROOM.pair : MOST_ROOM.many;
  const room = Math.max(...charts.map((chart) => fitLabels(chart, most).room));
  return (
    <section className="section" aria-label="Curves">
      <div className="row curves-head">
        <h2>Curves</h2>
        {k === null || isSingle ? null : (
          <>
            <span className="muted">k</span>
            <Segment
              label="k to read values at"
              value={k}
              options={offered.map((value) => ({ value, label: String(value) }))}
              hrefOf={(value) => compareParamsHref(params, { k: value })}
            />
          </>
        )}
        <span className="curves-actions">
          <ButtonLink look="bare" href={compareParamsHref(params, { asTable: !params.asTable })}>
            <Table2 size={16} aria-hidden />
            {params.asTable ? "Charts" : "Table"}
          </ButtonLink>
          <ButtonLink look="bare" download href={curvesHref(params, "svg")}>
            <Download size={16} aria-hidden />
            SVG
          </ButtonLink>
          <PngButton href={curvesHref(params, "svg")} />
          <ButtonLink look="bare" download href={curvesHref(params, "csv")}>
            <Download size={16} aria-hidden />
            CSV
          </ButtonLink>
        </span>
      </div>
      {k === null ? (
        <Notice title="No curve can be drawn">
          No attempt of these groups counts under reward key {comparison.key}. Choose another key, or count
          missing rewards as 0.
        </Notice>
      ) : params.asTable ? (
        <CurvesTable comparison={comparison} />
      ) : (
        <div className={isPair ? "curves curves-pair" : "curves curves-many"}>
          {charts.map((chart) => (
            <div key={chart.id} className="curves-panel">
              <CurveFigure chart={chart} room={chart.kind === "difference" ? 0 : room} />
              <Reading chart={chart} k={k} />
            </div>
          ))}
          {isSingle ? (
            <p className="muted curves-single">
              With one attempt per task there is a single point: solved at least once and solved every time
              are the same. More attempts at the same tasks would separate them.
            </p>
          ) : null}
        </div>
      )}
      {k === null ? null : (
        <Methods>
          <p>{comparison.caption}</p>
        </Methods>
      )}
    </section>
  );
}

/** The values at the chosen k, in words below the chart, with every name in full: where names beside curves are cut or gone. */
function Reading({ chart, k }: { chart: CurveChart; k: number }) {
  const format = formatValueOf(chart);
  return (
    <div className="caption curves-reading">
      <span>k = {k}:</span>
      {chart.series.map(({ group, points }) => {
        const point = points.find((one) => one.k === k);
        return (
          <span key={group.id} className="curves-entry">
            {chart.kind === "difference" ? null : (
              <>
                <AgentMark {...group} size={10} /> {group.label}{" "}
              </>
            )}
            {point === undefined ? (
              "no value"
            ) : (
              <>
                <b className="curves-value">{format(point.value)}</b>{" "}
                <span className="nowrap">
                  {point.band === null ? "no interval" : formatRange(point.band, format)}
                </span>
              </>
            )}
          </span>
        );
      })}
    </div>
  );
}
