import { PlaneFigure } from "@/components/charts/plane-figure";
import { AgentName } from "@/components/ui/agent-name";
import { ChartMenu } from "@/components/ui/chart-menu";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { StatusWord } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Segment } from "@/components/ui/segment";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { taskHref, type TaskParams } from "@/lib/pages/tasks/address";
import type { AttemptChart as Attempts } from "@/lib/pages/tasks/attempt-chart";
import type { TaskPage } from "@/lib/pages/tasks/page";
import { trialPageHref } from "@/lib/pages/trial/address";

import { nameAgentModel } from "./task-words";

const SPENT = [
  { value: "cost", label: "Cost" },
  { value: "time", label: "Time" },
] as const;
const HEIGHTS = [
  { value: "steps", label: "Steps" },
  { value: "reward", label: "Reward" },
] as const;

const HEADINGS = { cost: "Cost, $", time: "Duration", steps: "Steps", reward: "Reward" } as const;
type AttemptRow = Attempts["rows"][number];

const MAX_NAMED = 12;

export function AttemptChart({
  page,
  attempts,
  params,
}: {
  page: TaskPage;
  attempts: Attempts;
  params: TaskParams;
}) {
  const { spent, height, chart, rows, csv } = attempts;
  const hrefOf = (change: Partial<TaskParams>) =>
    taskHref(page.taskName, { ...params, dataset: page.dataset.id, ...change });
  return (
    <section className="section task-chart" aria-label="What attempts took" data-chart="">
      <div className="flow task-chart-head">
        <h2>What attempts took</h2>
        <Segment
          label="Height"
          value={height}
          options={HEIGHTS}
          hrefOf={(value) => hrefOf({ spent, height: value })}
        />
        <Segment
          label="Horizontal axis"
          value={spent}
          options={SPENT}
          hrefOf={(value) => hrefOf({ spent: value, height })}
        />
        <span className="section-actions">
          <ChartMenu name={`attempts-${height}-and-${spent}`} csv={csv} />
        </span>
      </div>
      {chart === null ? (
        <Notice title="Nothing to show">
          {rows.length === 0 ? "No counted attempt states" : `${formatPlural(rows.length, "attempt")} state`}{" "}
          both {height} and {spent}; at least five are needed.
        </Notice>
      ) : (
        <>
          <PlaneFigure chart={chart} />
          <Legend rows={rows} />
        </>
      )}
      <p className="caption">
        One point per attempt. Filled: passed. Outline: did not pass.
        {attempts.nUnknown > 0 && ` ${formatPlural(attempts.nUnknown, "attempt")} not drawn: unknown, not 0.`}
        {attempts.nMore > 0 && ` ${formatPlural(attempts.nMore, "attempt")} of older jobs not drawn.`}
      </p>
      {rows.length === 0 ? null : <AttemptTable attempts={attempts} />}
    </section>
  );
}

function Legend({ rows }: { rows: Attempts["rows"] }) {
  const agents = [...new Map(rows.map((row) => [nameAgentModel(row), row])).entries()];
  return (
    <p className="flow task-chart-legend">
      {agents.slice(0, MAX_NAMED).map(([name, row]) => (
        <AgentName key={name} identity={row.identity} agent={row.agent} model={row.model} />
      ))}
      {agents.length <= MAX_NAMED ? null : (
        <span className="muted">and {formatPlural(agents.length - MAX_NAMED, "more agent")}</span>
      )}
    </p>
  );
}

function AttemptTable({ attempts: { rows, spent, height } }: { attempts: Attempts }) {
  const columns: readonly DataColumn<AttemptRow>[] = [
    column(
      "Attempt",
      (row) => (
        <Link href={trialPageHref(row.jobKey, row.key)}>
          {row.jobName}, attempt {row.attempt}
        </Link>
      ),
      { className: "name" },
    ),
    column("Agent and model", (row) => (
      <AgentName identity={row.identity} agent={row.agent} model={row.model} />
    )),
    column("Outcome", (row) => <StatusWord status={row.outcome} />),
    column(HEADINGS[height], (row) => row.height, { numeric: true }),
    column(HEADINGS[spent], (row) => row.spent, { numeric: true }),
  ];
  return (
    <details className="task-chart-table">
      <summary>Table of {formatCount(rows.length)}</summary>
      <DataTable
        caption="What attempts took"
        className="table-compact"
        columns={columns}
        rows={rows}
        rowKey={({ jobKey, key }) => `${jobKey}/${key}`}
      />
    </details>
  );
}
