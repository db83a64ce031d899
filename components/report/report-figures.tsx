import { CurvePlot } from "@/components/charts/curve-plot";
import { AgentMark } from "@/components/ui/agent-mark";
import { fitLabels, PLOT_HEIGHT } from "@/lib/core/charts/curve-layout";
import { formatPlural, formatRange, formatReward } from "@/lib/core/format/number";
import type { Report } from "@/lib/output/report";

import { type ReportColumn, ReportTable, ReportValue } from "./report-table";

const number = (label: string): ReportColumn => ({ label, className: "number" });

export function ReportGroups({ report: { groups } }: { report: Report }) {
  const hasSets = groups.some(({ jobs }) => jobs.length > 1);
  const cells = [
    { id: "mean", label: "Mean, new tasks" },
    { id: "rerunMean", label: "Expected score on a re-run" },
    ...(hasSets ? ([{ id: "runToRun", label: "Run to run" }] as const) : []),
    { id: "solveRates", label: "Solved every time / sometimes / never" },
    { id: "consistency", label: "Consistency" },
    { id: "missing", label: "Missing rewards" },
    { id: "costPerSolve", label: "Cost per solve, $" },
  ] as const;
  return (
    <section aria-label="Groups">
      <h2>Groups</h2>
      <ReportTable
        caption="Groups"
        columns={[
          { label: "Group" },
          number("Trials"),
          ...cells.map(({ label }) => number(label)),
          number("Scores verified"),
        ]}
      >
        {groups.map((group) => (
          <tr key={group.chart.id}>
            <th scope="row">
              <AgentMark {...group.chart} />
              {group.chart.label}
              {group.jobs.length > 1 ? <small>{group.jobs.join(", ")}</small> : null}
            </th>
            <ReportValue
              value={String(group.nTrials)}
              range={group.jobs.length > 1 ? formatPlural(group.jobs.length, "run") : null}
            />
            {cells.map(({ id }) => (
              <ReportValue key={id} value={group.cells[id].value} range={group.cells[id].range} />
            ))}
            <ReportValue
              value={group.nFigures === 0 ? null : `${String(group.nExact)} of ${String(group.nFigures)}`}
            />
          </tr>
        ))}
      </ReportTable>
    </section>
  );
}

/** Maximum width of names next to a plot, in pixels. */
const MOST_ROOM = 190;

export function ReportCurves({ report: { charts } }: { report: Report }) {
  if (charts.length === 0) return null;
  const ks = [
    ...new Set(charts.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ k }) => k)))),
  ];
  return (
    <section aria-label="Curves">
      <h2>Curves</h2>
      <div className="curves">
        {charts.map((chart) => {
          const { labels, room } = fitLabels(chart, MOST_ROOM);
          return (
            <figure key={chart.id}>
              <figcaption>
                <b>{chart.title}</b> <span className="muted">{chart.note}</span>
              </figcaption>
              <div className="curve" style={{ paddingRight: room }}>
                <svg role="img" aria-label={chart.summary} height={PLOT_HEIGHT}>
                  <CurvePlot chart={chart} labels={labels} />
                </svg>
              </div>
            </figure>
          );
        })}
      </div>
      {charts.map((chart) => (
        <ReportTable
          key={chart.id}
          caption={`${chart.title} with 95 % intervals`}
          columns={[
            { label: chart.title },
            ...ks.toSorted((a, b) => a - b).map((k) => number(`k = ${String(k)}`)),
          ]}
        >
          {chart.series.map(({ group, points }) => (
            <tr key={group.id}>
              <th scope="row">
                <AgentMark {...group} />
                {group.label}
              </th>
              {ks
                .toSorted((a, b) => a - b)
                .map((k) => {
                  const point = points.find((one) => one.k === k);
                  return (
                    <ReportValue
                      key={k}
                      value={point === undefined ? null : formatReward(point.value)}
                      range={point?.band == null ? null : formatRange(point.band, formatReward)}
                    />
                  );
                })}
            </tr>
          ))}
        </ReportTable>
      ))}
    </section>
  );
}

export function ReportTasks({ report: { groups, matrix } }: { report: Report }) {
  const { rows, nTasks, hasMeans } = matrix;
  return (
    <section aria-label="Tasks">
      <h2>Tasks</h2>
      <p className="muted">
        Passed of all attempts{hasMeans ? ", and the mean reward" : ""}; tasks at which the groups differ most
        come first.
        {rows.length < nTasks ? ` The first ${String(rows.length)} of ${String(nTasks)} tasks.` : null}
      </p>
      <ReportTable
        caption="Tasks"
        className="matrix"
        columns={[{ label: "Task" }, ...groups.map(({ chart }) => number(chart.label))]}
      >
        {rows.map(({ task, cells }) => (
          <tr key={task}>
            <th scope="row">{task}</th>
            {cells.map(({ n, c, mean, level }, at) => (
              <td key={at} className={`number level-${String(level)}`}>
                {n === 0 ? "—" : `${String(c)} of ${String(n)}`}
                {hasMeans && mean !== null ? <small>{formatReward(mean)}</small> : null}
              </td>
            ))}
          </tr>
        ))}
      </ReportTable>
    </section>
  );
}
