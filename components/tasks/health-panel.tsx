import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Section } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { datasetHref, type DatasetParams, HARDEST_TASKS, PASSED } from "@/lib/pages/datasets/address";
import type { Dataset } from "@/lib/pages/datasets/list";
import { taskHref } from "@/lib/pages/tasks/address";
import type { HealthPage } from "@/lib/pages/tasks/health-page";

import { HealthTable } from "./health-table";
import { queueTaskHref } from "./task-links";
import { describePassed, PROBLEM_WORDS, REMEDY_WORDS } from "./task-words";

export function TaskHealthPanel({
  dataset,
  page,
  params,
}: {
  dataset: Dataset;
  page: HealthPage;
  params: DatasetParams;
}) {
  const { list, folded, counts, wrong } = page;
  const [isAll, isByRate] = [params.problems.length === 0, params.sort === PASSED];
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
      <nav className="health-problems" aria-label="Problems">
        <Link
          href={datasetHref(dataset.id, HARDEST_TASKS)}
          mode="stay"
          aria-current={isAll && isByRate ? "page" : undefined}
        >
          All, hardest first <span className="muted">{formatCount(page.nTasks)}</span>
        </Link>
        <Link
          href={datasetHref(dataset.id, { tab: "health" })}
          mode="stay"
          aria-current={isAll && !isByRate ? "page" : undefined}
        >
          Need a look <span className="muted">{formatCount(page.nToLookAt)}</span>
        </Link>
        {counts.map(({ problem, n }) => (
          <Link
            key={problem}
            href={datasetHref(dataset.id, { tab: "health", problems: [problem] })}
            mode="stay"
            aria-current={params.problems.includes(problem) ? "page" : undefined}
          >
            {PROBLEM_WORDS[problem]} <span className="muted">{formatCount(n)}</span>
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
    page.nOracle === nTasks && page.nNop === nTasks
      ? ""
      : `Oracle ran on ${of(page.nOracle)}, nop on ${of(page.nNop)}. For other tasks, it is unknown if the reference solution, or doing nothing, passes.`,
    `Nondeterministic verifiers show only if two trials have the same output: ${of(page.nShared)}.`,
    page.nRuns < page.leastRuns
      ? `Item-rest correlations are listed as a problem with at least ${formatCount(page.leastRuns)} runs; there are ${formatCount(page.nRuns)}.`
      : `Item-rest correlations are over ${formatPlural(page.nRuns, "run")}: read them with their intervals.`,
    page.medianCostUsd === null ? "Fewer than eight tasks report a cost, so outliers are unknown." : "",
    page.nUntried === 0
      ? ""
      : `${formatPlural(page.nUntried, "task has", "tasks have")} no finished attempt of an agent.`,
    page.nUnread === 0
      ? ""
      : `The verifiers' files of ${formatPlural(page.nUnread, "job is", "jobs are")} still being read.`,
    page.isCut ? "Attempts of older jobs are left out." : "",
  ];
  return (
    <Section title="Limits of the data">
      <ul className="health-limits">
        {notes
          .filter((note) => note !== "")
          .map((note) => (
            <li key={note}>{note}</li>
          ))}
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
    <Section
      title="Item-rest correlations"
      note={`item-rest correlations over ${formatPlural(nRuns, "run")}`}
    >
      <DataTable
        caption="Tasks by item-rest correlation"
        className="table-compact"
        columns={columns}
        rows={bins}
        rowKey={({ from, to }) => `${String(from)} ${String(to)}`}
      />
    </Section>
  );
}

function nameBin({ from, to }: { readonly from: number | null; readonly to: number | null }): string {
  if (from === null && to === null) return "none: same result, or too few runs";
  if (from === null) return `below ${String(to)}`;
  return to === null ? `${String(from)} and more` : `${String(from)} to ${String(to)}`;
}
