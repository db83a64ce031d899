import { PlaneFigure } from "@/components/charts/plane-figure";
import { AgentMark } from "@/components/ui/agent-mark";
import { ChartMenu } from "@/components/ui/chart-menu";
import { DataTable } from "@/components/ui/data-table";
import { FilterBar } from "@/components/ui/filter-bar";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { Unknown } from "@/components/ui/values";
import { formatPlural } from "@/lib/core/format/number";
import { jobHref } from "@/lib/pages/address/href";
import { compareParamsHref } from "@/lib/pages/compare/address";
import type { DatasetParams } from "@/lib/pages/datasets/address";
import type { HistoryLine, HistoryPage } from "@/lib/pages/datasets/history";

import { BoardSettings } from "./board-settings";

import "./history.css";

export function HistoryPanel({
  datasetId,
  page,
  params,
}: {
  datasetId: string;
  page: HistoryPage;
  params: DatasetParams;
}) {
  const { chart, csv, lines } = page;
  return (
    <section className="section history" aria-label="History">
      <FilterBar>
        <BoardSettings datasetId={datasetId} page={page} params={params} />
      </FilterBar>
      {chart === null ? (
        <Notice title="Nothing to show">No run of this dataset has a score and a known start.</Notice>
      ) : (
        <div className="history-chart" data-chart="">
          <div className="history-save">
            <ChartMenu name="history" csv={csv} />
          </div>
          <PlaneFigure chart={chart} />
          <AgentKey lines={lines} />
          <p className="caption">
            Bars: 95 % intervals, over the tasks and attempts of the table. Lines: same agent and model.
            Numbers: see “Since the run before it” in the table.
            {lines.some(({ state }) => state === "running") ? " Faint: still running." : ""}
          </p>
        </div>
      )}
      <DataTable
        caption="Scores over time, newest first"
        className="history-table"
        columns={COLUMNS}
        rows={lines}
        rowKey={({ refs }) => refs.join(" ")}
        heading={({ start }, at) =>
          start !== null || (at > 0 && lines[at - 1]?.start === null) ? null : (
            <>
              Undated <span className="muted">no known start: unordered and not in the chart</span>
            </>
          )
        }
      />
      <HistoryNotes page={page} />
    </section>
  );
}

function AgentKey({ lines }: { lines: readonly HistoryLine[] }) {
  const series = new Map(
    lines.flatMap(({ series: name, identity, start, score }) =>
      start === null || score === null ? [] : [[name, identity]],
    ),
  );
  return (
    <ul className="flow history-key" aria-label="Agents and models">
      {Array.from(series, ([name, identity]) => (
        <li key={name}>
          <AgentMark identity={identity} /> {name}
        </li>
      ))}
    </ul>
  );
}

const COLUMNS: readonly DataColumn<HistoryLine>[] = [
  column(
    "Start",
    ({ start }) => (start === null ? <Unknown title="No known start" /> : <TimeText time={start} />),
    { phone: "below", title: "For a run set, the start of its newest run" },
  ),
  column("Group", (line) => <GroupCell line={line} />, {
    className: "name",
    isRowHeader: true,
    phone: "first",
  }),
  column(
    "Agent and model",
    ({ identity, series }) => (
      <>
        <AgentMark identity={identity} /> {series}
      </>
    ),
    { className: "name", phone: "second" },
  ),
  column(
    "Score",
    ({ score, scoreText, basis }) =>
      score === null ? <Unknown title="No score" /> : <b title={basis}>{scoreText}</b>,
    { numeric: true, phone: "score" },
  ),
  column("95 % interval", ({ range, basis }) => <span title={basis}>{range}</span>, {
    numeric: true,
    className: "muted nowrap",
    phone: "labelled",
  }),
  column("Tasks", ({ nTasks }) => nTasks, {
    numeric: true,
    title: "Tasks with a finished trial",
    phone: "labelled",
  }),
  column("Attempts", ({ attempts }) => attempts, {
    numeric: true,
    room: "minor",
    title: "Finished attempts per task",
  }),
  column("Since the run before it", ({ change }) => <Change change={change} />, {
    className: "wrap history-change",
    phone: "end",
  }),
];

function GroupCell({ line: { label, jobs, state } }: { line: HistoryLine }) {
  const [job] = jobs;
  const note = state === "running" ? " still running" : state === "reference" ? " reference" : "";
  return (
    <span title={jobs.map(({ name }) => name).join(", ")}>
      {job === undefined ? label : <Link href={jobHref(job.key)}>{label}</Link>}
      <span className="muted">{note}</span>
    </span>
  );
}

function Change({ change }: Pick<HistoryLine, "change">) {
  if (change === null) return null;
  const { number, words, since, same, unknown, refs } = change;
  return (
    <>
      {number === null ? (
        <span className="muted" title={`Same as in ${since}: ${same.join(", ")}`}>
          no recorded difference{unknown.length > 0 && `; not recorded: ${unknown.join(", ")}`}.{" "}
        </span>
      ) : (
        <>
          <b>{number}</b> {words.join(" ")}{" "}
        </>
      )}
      <Link href={compareParamsHref({ refs })} title={`Compare with ${since}`}>
        Compare
      </Link>
    </>
  );
}

const NO_DIFFERENCE =
  "No recorded difference in tasks, versions, settings, timeouts and retries. An agent’s code, its prompts and the model behind its name are not compared and may have changed.";

function HistoryNotes({ page }: { page: HistoryPage }) {
  const { nUndated, nNoScore, nLeftOut } = page;
  const isEqual = page.lines.some(({ change }) => change?.number === null);
  const notes = [
    isEqual && NO_DIFFERENCE,
    nUndated > 0 && `${formatPlural(nUndated, "undated group")} not in the chart.`,
    nNoScore > 0 && `${formatPlural(nNoScore, "group")} without a score not in the chart.`,
    nLeftOut > 0 && `${formatPlural(nLeftOut, "group")} of older jobs left out.`,
  ].filter(Boolean);
  return (
    <>
      {notes.length === 0 ? null : <p className="caption table-note">{notes.join(" ")}</p>}
      <Methods>
        <p>
          Scores and intervals are those of the leaderboard. A saved run set is one point, at the start of its
          newest run. Runs are ordered by the start of their jobs; a start without a known zone is undated.
        </p>
        <p>
          Each run is compared with the previous one of the same agent and model: tasks and their digests,
          agent version and settings, Harbor version, timeouts and retries. Unrecorded values count neither as
          changed nor as the same. Job names are not compared. A score that moves within its interval may be
          chance.
        </p>
      </Methods>
    </>
  );
}
