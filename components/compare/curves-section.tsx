import { Table2 } from "lucide-react";

import { CurveFigure } from "@/components/charts/curve-figure";
import { AgentMark } from "@/components/ui/agent-mark";
import { GroupName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { ChartMenu } from "@/components/ui/chart-menu";
import { DataTable } from "@/components/ui/data-table";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { Segment } from "@/components/ui/segment";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import type { CurveChart } from "@/lib/core/charts/curve-chart";
import { fitLabels } from "@/lib/core/charts/curve-layout";
import { selectKTicks } from "@/lib/core/charts/ticks";
import { listNames } from "@/lib/core/format/list-names";
import {
  formatCount,
  formatPlural,
  formatRange,
  formatReward,
  formatPoints,
  MISSING,
} from "@/lib/core/format/number";
import { compareParamsHref, curvesHref, type CompareParams } from "@/lib/pages/compare/address";
import type { Comparison } from "@/lib/pages/compare/page";

const MOST_SEGMENTS = 12;
/** Maximum width of names next to a plot, in pixels. */
const MOST_ROOM = 240;

export function CurvesSection({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { ks, k, charts } = comparison;
  const offered = ks.length > MOST_SEGMENTS ? selectKTicks(ks) : ks;
  const isSingle = ks.length < 2;
  const room = Math.max(...charts.map((chart) => fitLabels(chart, MOST_ROOM).room));
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
          <ChartMenu
            name="pass-at-k"
            svgHref={curvesHref(params, "svg")}
            csvHref={curvesHref(params, "csv")}
          />
        </span>
      </div>
      {k === null ? (
        <Notice title="No curve to show">
          No attempt of these groups counts under reward key {comparison.key}. Choose another key, or count
          missing rewards as 0.
        </Notice>
      ) : params.asTable ? (
        <CurvesTable comparison={comparison} />
      ) : (
        <div className="curves">
          {charts.map((chart) => (
            <div key={chart.id} className="curves-panel">
              <CurveFigure chart={chart} room={room} />
              <Reading chart={chart} k={k} />
            </div>
          ))}
          <FewerTasks charts={charts} />
          {charts.some(({ series }) => series.length < comparison.groups.length) ? (
            <p className="caption curves-some">
              At most six lines: the first group and those with the highest scores. Bands: the two groups in
              the title. The table has all groups.
            </p>
          ) : null}
          {isSingle ? (
            <p className="muted curves-single">
              With one attempt per task there is a single point: solved at least once equals solved every
              time.
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

/** Explains that curves cover fewer tasks at larger k, so pass@k can fall, which it never does over equal tasks. */
function FewerTasks({ charts }: { charts: readonly CurveChart[] }) {
  const found = (charts[0]?.series ?? []).flatMap(({ group, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined || first.nTasks === last.nTasks) return [];
    const tasks = formatPlural(first.nTasks, "task");
    return `${group.label}: ${tasks} at k = ${first.k}, ${formatCount(last.nTasks)} at k = ${last.k}`;
  });
  if (found.length === 0) return null;
  return (
    <p className="caption curves-some">
      Not every task has that many attempts. For larger k, a curve covers fewer tasks and can fall (
      {listNames(found, "; ")}).
    </p>
  );
}

function Reading({ chart, k }: { chart: CurveChart; k: number }) {
  const difference = chart.differences.find((one) => one.k === k);
  return (
    <div className="caption curves-reading">
      <span>k = {k}:</span>
      {chart.series.map(({ group, points }) => {
        const point = points.find((one) => one.k === k);
        return (
          <span key={group.id} className="curves-entry">
            <AgentMark {...group} size={10} /> {group.label}{" "}
            {point === undefined ? (
              "no value"
            ) : (
              <>
                <b className="curves-value">{formatReward(point.value)}</b>{" "}
                <span className="nowrap">
                  {point.band === null ? "no interval" : formatRange(point.band)}
                </span>
              </>
            )}
          </span>
        );
      })}
      {difference === undefined ? null : <span>difference {difference.words}</span>}
    </div>
  );
}

type CurveLine = ReturnType<typeof listLines>[number];

const COLUMNS: readonly DataColumn<CurveLine>[] = [
  column("Group", ({ name }) => name, { className: "name" }),
  column("k", ({ point }) => point.k, { numeric: true }),
  column("Tasks with k attempts", ({ point }) => point.nTasks, { numeric: true }),
  column("pass@k", ({ point, format }) => format(point.passAtK.value), { numeric: true }),
  bandColumn("passAtK"),
  column("Harbor's pass@k", ({ harbors }) => (harbors === null ? <Unknown /> : formatReward(harbors)), {
    numeric: true,
  }),
  column("pass^k", ({ point, format }) => format(point.passHatK.value), { numeric: true }),
  bandColumn("passHatK"),
];

function bandColumn(of: "passAtK" | "passHatK"): DataColumn<CurveLine> {
  return {
    id: `${of}Band`,
    header: "95 % band",
    meta: { numeric: true, className: "muted" },
    cell: ({ point, format }) => {
      const { band } = point[of];
      return band.kind === "unavailable" ? MISSING : formatRange(band, format);
    },
  };
}

function listLines(comparison: Comparison) {
  const levels = comparison.groups.map((group) => ({
    name: <GroupName group={group} />,
    curve: group.curve,
    recorded: group.recorded,
    format: formatReward,
  }));
  // In points, with the verdict's intervals at k = 1.
  const differences = comparison.pairs.map(({ first, second, difference }) => ({
    name: `${first.label} minus ${second.label}, points`,
    curve: difference,
    recorded: null,
    format: formatPoints,
  }));
  return [...levels, ...differences].flatMap(({ name, curve, recorded, format }, nth) =>
    (curve.kind === "unavailable" ? [] : curve.points).map((point, at) => ({
      id: `${nth} ${point.k}`,
      name: at === 0 ? name : null,
      point,
      harbors: recorded?.get(point.k) ?? null,
      format,
    })),
  );
}

function CurvesTable({ comparison }: { comparison: Comparison }) {
  return (
    <DataTable
      caption="Values of the curves"
      className="table-compact"
      columns={COLUMNS}
      rows={listLines(comparison)}
      rowKey={({ id }) => id}
    />
  );
}
