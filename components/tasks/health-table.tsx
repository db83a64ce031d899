import { ForAction } from "@/components/shell/account-context";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Mark, type MarkStatus } from "@/components/ui/mark";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { REMEDY_OF, TASK_REMEDIES, type TaskProblem } from "@/lib/core/domain/task-health";
import { formatPlural, formatReward } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { datasetHref, type DatasetParams, PASSED } from "@/lib/pages/datasets/address";
import type { Dataset } from "@/lib/pages/datasets/list";
import { taskHref } from "@/lib/pages/tasks/address";
import type { TaskHealth } from "@/lib/pages/tasks/problems";
import type { TrialsParams } from "@/lib/pages/trials/address";

import { passedColumns } from "./passed";
import { queueTaskHref, taskTrialsHref } from "./task-links";
import { EvidenceMarks } from "./task-problems";
import {
  describeEvidence,
  describeNoItemRest,
  formatInterval,
  PROBLEM_WORDS,
  REMEDY_WORDS,
} from "./task-words";

const MARKS: Partial<Record<TaskProblem, MarkStatus>> = {
  "failed-by-oracle": "failed",
  "solved-by-nop": "passed",
  nondeterministic: "partial",
  "verifier-crashes": "errored",
  "timeouts-only": "timeout",
  flaky: "partial",
};

const TRIALS: Partial<Record<TaskProblem, Partial<TrialsParams>>> = {
  "failed-by-oracle": { agents: ["oracle"] },
  "solved-by-nop": { agents: ["nop"] },
  nondeterministic: { verifier: ["nondeterministic"] },
  "timeouts-only": { outcomes: ["timeout"] },
};

export function HealthTable({
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
        const mark = MARKS[worst.problem];
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
        const only = worst === undefined ? {} : (TRIALS[worst.problem] ?? {});
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
