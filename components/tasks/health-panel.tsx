import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Mark, type MarkStatus } from "@/components/ui/mark";
import { Methods } from "@/components/ui/methods";
import { Section } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TableSection } from "@/components/ui/table-section";
import { Unknown } from "@/components/ui/values";
import { REMEDY_OF, TASK_REMEDIES, type TaskProblem } from "@/lib/core/domain/task-health";
import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { datasetHref, type DatasetParams, HARDEST_TASKS, PASSED } from "@/lib/pages/datasets/address";
import type { Dataset } from "@/lib/pages/datasets/list";
import { taskHref } from "@/lib/pages/tasks/address";
import type { HealthPage } from "@/lib/pages/tasks/health";
import type { TaskHealth } from "@/lib/pages/tasks/problems";
import type { TrialsParams } from "@/lib/pages/trials/address";

import { passedColumns } from "./passed";
import { EvidenceMarks } from "./task-head";
import {
  describeEvidence,
  describeNoItemRest,
  describePassed,
  formatInterval,
  PROBLEM_WORDS,
  queueTaskHref,
  REMEDY_WORDS,
  taskTrialsHref,
} from "./task-words";

export function TaskHealthPanel({
  dataset,
  page,
  params,
}: {
  dataset: Dataset;
  page: HealthPage;
  params: DatasetParams;
}) {
  const { list, folded, wrong } = page;
  return (
    <section className="section" aria-label="Task health">
      <div className="flow health-head">
        <p className="health-summary">{summarise(page)}</p>
        {wrong.length === 0 ? null : (
          <ForAction action="makeQueueAction">
            <ButtonLink href={queueTaskHref(wrong, dataset.groups)}>
              Queue {formatCount(wrong.length)} for review
            </ButtonLink>
          </ForAction>
        )}
      </div>
      <nav className="flow health-problems" aria-label="Problems">
        {listViews(page, params).map(({ words, n, change, isOpen }) => (
          <Link
            key={words}
            href={datasetHref(dataset.id, change)}
            mode="stay"
            aria-current={isOpen ? "page" : undefined}
          >
            {words} <span className="muted">{formatCount(n)}</span>
          </Link>
        ))}
      </nav>
      {list.rows.length === 0 && folded.length === 0 ? (
        <p className="muted">No problems found with these tasks, as far as the data show.</p>
      ) : null}
      {list.rows.length === 0 ? null : (
        <HealthTable rows={list.rows} dataset={dataset} params={params} medianCostUsd={page.medianCostUsd} />
      )}
      <Pager
        page={list}
        noun="task"
        label="tasks"
        hrefOf={(next) => datasetHref(dataset.id, { ...params, page: next })}
      />
      <Folded folded={folded} dataset={dataset} />
      <div className="task-columns">
        <Bins bins={page.bins} nRuns={page.nRuns} />
        <Limits page={page} />
      </div>
      <HealthMethods />
    </section>
  );
}

interface View {
  readonly words: string;
  readonly n: number;
  readonly change: Partial<DatasetParams>;
  readonly isOpen: boolean;
}

function listViews({ nTasks, nToLookAt, counts }: HealthPage, { problems, sort }: DatasetParams) {
  const [isAll, isByRate] = [problems.length === 0, sort === PASSED];
  const views: readonly View[] = [
    { words: "All, hardest first", n: nTasks, change: HARDEST_TASKS, isOpen: isAll && isByRate },
    { words: "Need a look", n: nToLookAt, change: { tab: "health" }, isOpen: isAll && !isByRate },
    ...counts.map(({ problem, n }) => ({
      words: PROBLEM_WORDS[problem],
      n,
      change: { tab: "health", problems: [problem] } as const,
      isOpen: problems.includes(problem),
    })),
  ];
  return views;
}

function summarise({ nTasks, nToLookAt, nWrong, nNothing }: HealthPage): string {
  const wrong =
    nWrong === 0
      ? ""
      : `, ${formatCount(nWrong)} of them because the verifier or the reference solution is wrong`;
  const more = nToLookAt === 0 || nNothing === 0 ? "" : " more";
  return `${formatCount(nToLookAt)} of ${formatPlural(nTasks, "task")} ${nToLookAt === 1 ? "needs" : "need"} a look${wrong}. ${formatCount(nNothing)}${more} ${nNothing === 1 ? "does" : "do"} not tell agents apart.`;
}

function Folded({ folded, dataset }: { folded: HealthPage["folded"]; dataset: Dataset }) {
  if (folded.length === 0) return null;
  const [title, note] = REMEDY_WORDS.nothing;
  return (
    <div className="health-folded">
      <h2>
        {title} <span className="muted">{note}</span>
      </h2>
      {folded.map(({ problem, n, tasks }) => (
        <details key={problem}>
          <summary>
            {PROBLEM_WORDS[problem]} <span className="muted">{formatPlural(n, "task")}</span>
          </summary>
          <ul>
            {tasks.map(({ taskName, rate }) => (
              <li key={taskName} className="cut">
                <Link href={taskHref(taskName, { dataset: dataset.id })} title={describePassed(rate)}>
                  {formatTask({ taskName })}
                </Link>
              </li>
            ))}
          </ul>
          <p className="caption">
            <Link href={datasetHref(dataset.id, { tab: "health", problems: [problem] })}>
              {n === tasks.length ? "As a table" : `All ${formatCount(n)} as a table`}
            </Link>
          </p>
        </details>
      ))}
    </div>
  );
}

/** Lists what these jobs cannot show, so that a missing problem is not taken as proof. */
function Limits({ page }: { page: HealthPage }) {
  const { nTasks } = page;
  const of = (n: number) => `${formatCount(n)} of ${formatPlural(nTasks, "task")}`;
  const notes = [
    (page.nOracle < nTasks || page.nNop < nTasks) &&
      `Oracle ran on ${of(page.nOracle)}, nop on ${of(page.nNop)}. For other tasks, it is unknown if the reference solution, or doing nothing, passes.`,
    `Nondeterministic verifiers show only if two trials have the same output: ${of(page.nShared)}.`,
    page.nRuns < page.leastRuns
      ? `Item-rest correlations are listed as a problem with at least ${formatCount(page.leastRuns)} runs; there are ${formatCount(page.nRuns)}.`
      : `Item-rest correlations are over ${formatPlural(page.nRuns, "run")}: read them with their intervals.`,
    page.medianCostUsd === null && "Fewer than eight tasks report a cost, so outliers are unknown.",
    page.nUntried > 0 &&
      `${formatPlural(page.nUntried, "task has", "tasks have")} no finished attempt of an agent.`,
    page.nUnread > 0 &&
      `The verifiers' files of ${formatPlural(page.nUnread, "job is", "jobs are")} still being read.`,
    page.isCut && "Attempts of older jobs are left out.",
  ];
  return (
    <Section title="Limits of the data">
      <ul className="health-limits">
        {notes.flatMap((note) => (note === false ? [] : <li key={note}>{note}</li>))}
      </ul>
    </Section>
  );
}

function HealthMethods() {
  return (
    <Methods>
      <p>
        A task is listed once, under its worst problem; its page lists all. Only attempts at the latest
        version count. Passed: attempts of all agents except oracle and nop, interval 95 %, Wilson. Item-rest:
        correlation of the share of attempts passed at this task with the mean share of the other tasks, over
        runs (one group of one job each); runs that tried fewer than half of the tasks are excluded; interval
        95 %, Fisher. Runs of one agent are not independent, so the interval is too narrow if one agent ran
        often. Listed below 0.1. Flaky: two attempts of one run end alike in less than 60 %, with at least
        five attempts. If no run has several attempts, runs of one agent count instead, unless their results
        follow their scores elsewhere (item-rest beyond 0.3): then the agent may have changed. Verifier
        crashes: at least 5 % of attempts ended with an exception of the verifier, or with its traceback in a
        log. Cost outlier: the median cost is more than twice that of the median task, and above the upper
        quartile plus 1.5 interquartile ranges, on a log scale.
      </p>
    </Methods>
  );
}

function Bins({ bins, nRuns }: { bins: HealthPage["bins"]; nRuns: number }) {
  const most = Math.max(1, ...bins.map(({ n }) => n));
  const columns: readonly DataColumn<HealthPage["bins"][number]>[] = [
    column("Item-rest", (bin) => nameBin(bin)),
    column("Tasks", ({ n }) => formatCount(n), { numeric: true }),
    {
      id: "bar",
      header: <span className="screen-reader">Share</span>,
      meta: { width: "60%" },
      cell: ({ n }) => <span className="health-bar" style={{ width: `${String((n / most) * 100)}%` }} />,
    },
  ];
  return (
    <TableSection
      title="Item-rest correlations"
      caption="Tasks by item-rest correlation"
      note={`item-rest correlations over ${formatPlural(nRuns, "run")}`}
      columns={columns}
      rows={bins}
      rowKey={({ from, to }) => `${String(from)} ${String(to)}`}
    />
  );
}

function nameBin({ from, to }: { readonly from: number | null; readonly to: number | null }): string {
  if (from === null && to === null) return "none: same result, or too few runs";
  if (from === null) return `below ${String(to)}`;
  return to === null ? `${String(from)} and more` : `${String(from)} to ${String(to)}`;
}

const LOOKS: Partial<
  Record<TaskProblem, { readonly mark: MarkStatus; readonly trials?: Partial<TrialsParams> }>
> = {
  "failed-by-oracle": { mark: "failed", trials: { agents: ["oracle"] } },
  "solved-by-nop": { mark: "passed", trials: { agents: ["nop"] } },
  nondeterministic: { mark: "partial", trials: { verifier: ["nondeterministic"] } },
  "verifier-crashes": { mark: "errored" },
  "timeouts-only": { mark: "timeout", trials: { outcomes: ["timeout"] } },
  flaky: { mark: "partial" },
};

function HealthTable({
  rows,
  dataset,
  params,
  medianCostUsd,
}: {
  rows: readonly TaskHealth[];
  dataset: Dataset;
  params: DatasetParams;
  medianCostUsd: number | null;
}) {
  const byRemedy = Map.groupBy(rows, ({ remedy }) => remedy);
  const isByRate = params.sort === PASSED;
  const listed = isByRate ? rows : TASK_REMEDIES.flatMap((remedy) => byRemedy.get(remedy) ?? []);
  return (
    <DataTable
      caption={isByRate ? "Tasks by pass rate" : "Tasks that need a look, worst first"}
      columns={listColumns(dataset, medianCostUsd)}
      rows={listed}
      rowKey={({ taskName }) => taskName}
      className="table-lines"
      order={{
        sorts: [PASSED],
        sort: params.sort ?? "",
        descending: params.descending === true,
        hrefOf: (order) => datasetHref(dataset.id, { ...params, page: 1 }, order),
      }}
      heading={({ remedy }, at) => {
        if (isByRate || remedy === null || listed[at - 1]?.remedy === remedy) return null;
        const [title, note] = REMEDY_WORDS[remedy];
        return (
          <>
            {title}{" "}
            <span className="muted">
              {formatPlural(byRemedy.get(remedy)?.length ?? 0, "task")}: {note}
            </span>
          </>
        );
      }}
    />
  );
}

function listColumns(dataset: Dataset, medianCostUsd: number | null): readonly DataColumn<TaskHealth>[] {
  return [
    column(
      "Task",
      ({ taskName }) => (
        <Link
          className="cut health-task"
          href={taskHref(taskName, { dataset: dataset.id })}
          title={taskName}
          data-row-link=""
        >
          {formatTask({ taskName })}
        </Link>
      ),
      { className: "name", phone: "first" },
    ),
    column(
      "Problem",
      ({ evidence: [worst] }) => {
        if (worst === undefined) return null;
        const mark = LOOKS[worst.problem]?.mark;
        return (
          <span className="status-word">
            {mark === undefined ? null : <Mark status={mark} />}
            {PROBLEM_WORDS[worst.problem]}
          </span>
        );
      },
      { phone: "side" },
    ),
    column(
      "Evidence",
      (task) => {
        const [worst] = task.evidence;
        if (worst === undefined) return null;
        return (
          <>
            <EvidenceMarks trials={worst.trials} />
            {describeEvidence(worst, task, medianCostUsd)}
            {task.evidence.length === 1 ? null : <Others task={task} />}
          </>
        );
      },
      { className: "wrap health-evidence", phone: "second" },
    ),
    ...passedColumns<TaskHealth>({ of: (task) => task, phone: "second", interval: { room: "minor" } }),
    column("Item-rest", (task) => <ItemRest task={task} />, { numeric: true, phone: "labelled" }),
    {
      id: "ways",
      header: <span className="screen-reader">Trials and queue</span>,
      meta: { numeric: true, phone: "end" },
      cell: ({ taskName, evidence: [worst] }) => {
        const only = worst === undefined ? {} : LOOKS[worst.problem]?.trials;
        return (
          <span className="health-ways">
            <Link href={taskTrialsHref(taskName, dataset.groups, only)}>
              Trials<span className="screen-reader"> of {taskName}</span>
            </Link>
            <ForAction action="makeQueueAction">
              <Link href={queueTaskHref(taskName, dataset.groups, only)}>
                Queue<span className="screen-reader"> of {taskName}</span>
              </Link>
            </ForAction>
          </span>
        );
      },
    },
  ];
}

/** Other problems with a different remedy; it is no news that a broken task is never solved. */
function Others({ task: { evidence } }: { task: TaskHealth }) {
  const others = evidence.slice(1).filter(({ problem }) => REMEDY_OF[problem] !== "nothing");
  if (others.length === 0) return null;
  return (
    <span className="muted">
      {" "}
      Also {others.map(({ problem }) => PROBLEM_WORDS[problem].toLowerCase()).join(", ")}.
    </span>
  );
}

function ItemRest({ task: { itemRest } }: { task: TaskHealth }) {
  if (itemRest.r === null) return <Unknown title={describeNoItemRest(itemRest)} />;
  const { low, high, n } = itemRest;
  const interval =
    low === null || high === null ? "no interval" : `95 % interval ${formatInterval({ low, high })}`;
  return <span title={`${interval}, over ${formatPlural(n, "run")}`}>{formatReward(itemRest.r, 2)}</span>;
}
