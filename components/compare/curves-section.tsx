import { Download, Table2 } from "lucide-react";

import { compareParamsHref, curvesHref, type CompareParams } from "@/app/compare/search-params";
import { CurveFigure } from "@/components/charts/curve-figure";
import { GroupMark } from "@/components/charts/group-mark";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { CurveChart } from "@/lib/charts/curve-chart";
import { selectKTicks } from "@/lib/charts/ticks";
import { formatPoints, formatReward } from "@/lib/format/number";
import type { Comparison } from "@/lib/queries/compare-page";

import { CurvesTable } from "./curves-table";
import { Segment } from "./segment";

import "./curves-section.css";

const MOST_SEGMENTS = 12;
const CHARACTER_WIDTH = 6.6;

/** Room beside the plot for the longest name and its value; longer names are cut. */
function selectLabelRoom(charts: readonly CurveChart[], most: number): number {
  const longest = Math.max(
    0,
    ...charts.flatMap((chart) =>
      chart.endLabels.map(({ group, value }) => group.label.length + value.length - 5),
    ),
  );
  return Math.min(most, Math.ceil(18 + (longest + 6) * CHARACTER_WIDTH));
}

/** pass@k and pass^k with bands, each beside its paired difference where two groups are compared. */
export function CurvesSection({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { ks, k, charts } = comparison;
  const offered = ks.length > MOST_SEGMENTS ? selectKTicks(ks) : ks;
  const isPair = comparison.pairs.length === 1;
  const isSingle = ks.length < 2;
  const room = selectLabelRoom(charts, isPair ? 132 : 220);
  return (
    <section className="section" aria-label="Curves">
      <div className="curves-head">
        <h2>Curves</h2>
        {k === null || ks.length < 2 ? null : (
          <>
            <span className="muted">k</span>
            <Segment
              label="k to read values at"
              options={offered.map((value) => ({
                label: String(value),
                selected: value === k,
                href: compareParamsHref(params, { k: value }),
              }))}
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
              <CurveFigure chart={chart} right={chart.kind === "difference" ? 12 : room} />
              <Reading chart={chart} k={k} isPair={isPair} />
            </div>
          ))}
          {isSingle ? (
            <p className="muted curves-single">
              With one attempt a task there is one point and no curve: reach and reliability are the same
              share. More attempts at the same tasks would tell them apart.
            </p>
          ) : null}
        </div>
      )}
      {k === null ? null : <p className="caption curves-caption">{comparison.caption}</p>}
    </section>
  );
}

/** The values at the chosen k, in words below the chart. */
function Reading({ chart, k, isPair }: { chart: CurveChart; k: number; isPair: boolean }) {
  const format = chart.kind === "difference" ? formatPoints : formatReward;
  const values = chart.series.flatMap((series) => {
    const point = series.points.find((one) => one.k === k);
    return point === undefined ? [] : [{ series, point }];
  });
  if (values.length === 0) return <p className="caption curves-reading">No value at k = {k}.</p>;
  return (
    <p className={isPair ? "caption curves-reading" : "caption curves-reading curves-reading-many"}>
      <span>k = {k}:</span>
      {values.map(({ series, point }) => (
        <span key={series.group.id}>
          {chart.kind === "difference" ? null : (
            <>
              <GroupMark group={series.group} size={10} /> {series.group.label}{" "}
            </>
          )}
          <b className="curves-value">{format(point.value)}</b>{" "}
          {point.low === null ? "no interval" : `[${format(point.low)}, ${format(point.high ?? point.low)}]`}
        </span>
      ))}
    </p>
  );
}
