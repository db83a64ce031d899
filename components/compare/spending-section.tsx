import { PlaneFigure } from "@/components/charts/plane-figure";
import { GroupName } from "@/components/ui/agent-name";
import { ChartMenu } from "@/components/ui/chart-menu";
import { DataTable } from "@/components/ui/data-table";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { Segment } from "@/components/ui/segment";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import { compareParamsHref, type CompareParams } from "@/lib/pages/compare/address";
import type { SpendingPanel, SpendingRow } from "@/lib/pages/compare/spending";

const MEASURES = [
  { value: "cost", label: "Cost" },
  { value: "time", label: "Time" },
  { value: "tokens", label: "Tokens" },
] as const;

const HEADINGS = { cost: "$ per attempt", time: "Time per attempt", tokens: "Tokens per attempt" } as const;

export function SpendingSection({ spending, params }: { spending: SpendingPanel; params: CompareParams }) {
  const { measure, charts, csv } = spending;
  return (
    <section className="section spending" aria-label="Score and cost" data-chart="">
      <div className="row curves-head">
        <h2>Score and cost</h2>
        <Segment
          label="Horizontal axis"
          value={measure}
          options={MEASURES}
          hrefOf={(spent) => compareParamsHref(params, { spent })}
        />
        <span className="curves-actions">
          <ChartMenu name={`score-and-${measure}`} csv={csv} />
        </span>
      </div>
      {charts.length === 0 ? (
        <Notice title="Nothing to show">No attempt of these groups records its {measure}.</Notice>
      ) : (
        <div className="spending-charts">
          {charts.map((chart) => (
            <PlaneFigure key={chart.title} chart={chart} />
          ))}
        </div>
      )}
      <SpendingTable spending={spending} />
      <SpendingNotes spending={spending} />
    </section>
  );
}

function SpendingTable({ spending: { rows, measure } }: { spending: SpendingPanel }) {
  return (
    <DataTable<SpendingRow>
      caption={`Score and ${measure} by group`}
      columns={[
        column("Group", ({ group }) => <GroupName group={group} />, { className: "name" }),
        column("Score per attempt", ({ score }) => score, {
          numeric: true,
          title: "Mean reward, each attempt with the same weight",
        }),
        rangeColumn("scoreRange"),
        column(HEADINGS[measure], ({ spent }) => spent, { numeric: true }),
        rangeColumn("spentRange"),
        column(
          "$ per solve",
          ({ perSolve: { value, range } }) => (
            <>
              {value ?? MISSING} <span className="muted">{range}</span>
            </>
          ),
          { numeric: true, className: "nowrap", title: "Cost of all attempts per passed attempt" },
          ({ perSolve }) => ({ title: perSolve.basis }),
        ),
        column(
          "Attempts",
          ({ nKnown, nUnknown }) => (
            <>
              {formatCount(nKnown)} <span className="muted">of {formatCount(nKnown + nUnknown)}</span>
            </>
          ),
          { numeric: true, className: "nowrap", title: "Finished attempts that record it" },
        ),
        column("Among these groups", ({ standing }) => standing, {
          title: "Beaten: another group is at least as good and spends no more",
        }),
      ]}
      rows={rows}
      rowKey={({ group }) => group.id}
      rowClass={({ isFaint }) => (isFaint ? "spending-dominated" : undefined)}
    />
  );
}

function rangeColumn(id: "scoreRange" | "spentRange"): DataColumn<SpendingRow> {
  return {
    id,
    header: "95 % interval",
    meta: { numeric: true, className: "muted", ...(id === "scoreRange" ? { room: "minor" } : {}) },
    cell: (row) => row[id],
  };
}

function SpendingNotes({ spending }: { spending: SpendingPanel }) {
  const { nUnknown, nUnplaced, nSweeps, charts, resamples } = spending;
  const hasUnnamed = charts.some(
    ({ points }) =>
      new Set(points.flatMap(({ group, label }) => (label === null ? [] : group.id))).size <
      new Set(points.map(({ group }) => group.id)).size,
  );
  return (
    <>
      <p className="caption">
        Score: mean over attempts; the verdict and the curves average each task first. Bars: 95 % intervals on
        both axes. Line: best score so far. Faint: another group is at least as good and spends no more.
        {nSweeps > 0 && " Dashed: the same agent and model at rising effort."}
        {hasUnnamed ? " Hover unnamed marks for their name, or see the table." : ""}
        {nUnplaced > 0 && ` ${formatPlural(nUnplaced, "group")} not drawn: unknown.`}
        {nUnknown > 0 && ` ${formatPlural(nUnknown, "attempt")} left out: unknown, not 0.`}
      </p>
      <Methods>
        <p>
          Spending is the mean over finished attempts that record it, with a bootstrap interval that resamples
          whole tasks ({formatCount(resamples)} resamples). An interval may end beyond the plot. “Beaten”
          compares means, not intervals.
        </p>
        {charts.length > 1 ? (
          <p>Budget: k attempts spend k times the mean of one; the value is pass@k of the curves above.</p>
        ) : null}
      </Methods>
    </>
  );
}
