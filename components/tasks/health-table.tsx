import { Fragment } from "react";

import { ForAction } from "@/components/shell/account-context";
import { IntervalHeading } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Mark, type MarkStatus } from "@/components/ui/mark";
import { type Column, Table } from "@/components/ui/table";
import { Unknown } from "@/components/ui/values";
import { REMEDY_OF, TASK_REMEDIES, type TaskProblem } from "@/lib/core/domain/task-health";
import { formatPlural, formatReward } from "@/lib/core/format/number";
import type { Dataset } from "@/lib/pages/datasets/list";
import type { JobParams } from "@/lib/pages/job/address";
import { taskHref } from "@/lib/pages/tasks/address";
import type { TaskHealth } from "@/lib/pages/tasks/problems";

import { PassedCells } from "./passed";
import { queueTaskHref, taskTrialsHref } from "./task-links";
import { EvidenceMarks } from "./task-problems";
import {
  describeEvidence,
  describeNoItemRest,
  formatInterval,
  PROBLEM_WORDS,
  REMEDY_WORDS,
} from "./task-words";

const COLUMNS: readonly Column[] = [
  { id: "task", label: "Task" },
  { id: "problem", label: "Problem" },
  { id: "evidence", label: "Evidence" },
  { id: "passed", label: "Passed", numeric: true },
  { id: "interval", label: <IntervalHeading />, minor: true },
  { id: "item-rest", label: "Item-rest", numeric: true },
  { id: "ways", label: <span className="screen-reader">Trials and queue</span>, numeric: true },
];

const MARKS: Partial<Record<TaskProblem, MarkStatus>> = {
  "failed-by-oracle": "failed",
  "solved-by-nop": "passed",
  nondeterministic: "partial",
  "verifier-crashes": "errored",
  "timeouts-only": "timeout",
  flaky: "partial",
};

const TRIALS: Partial<Record<TaskProblem, Partial<JobParams>>> = {
  "failed-by-oracle": { agents: ["oracle"] },
  "solved-by-nop": { agents: ["nop"] },
  nondeterministic: { verifier: ["nondeterministic"] },
  "timeouts-only": { outcomes: ["timeout"] },
};

export function HealthTable({
  rows,
  dataset,
  medianCostUsd,
}: {
  rows: readonly TaskHealth[];
  dataset: Dataset;
  medianCostUsd: number | null;
}) {
  const byRemedy = Map.groupBy(rows, ({ remedy }) => remedy);
  return (
    <Table caption="Tasks that need a look, worst first" columns={COLUMNS} className="health-table">
      {TASK_REMEDIES.flatMap((remedy) => {
        const own = byRemedy.get(remedy) ?? [];
        if (own.length === 0) return [];
        const [title, note] = REMEDY_WORDS[remedy];
        return (
          <tbody key={remedy}>
            <tr>
              <th scope="rowgroup" colSpan={COLUMNS.length} className="health-part">
                {title}{" "}
                <span className="muted">
                  {formatPlural(own.length, "task")}: {note}
                </span>
              </th>
            </tr>
            {own.map((task) => (
              <Fragment key={task.taskName}>
                <HealthRow task={task} dataset={dataset} medianCostUsd={medianCostUsd} />
              </Fragment>
            ))}
          </tbody>
        );
      })}
    </Table>
  );
}

function HealthRow({
  task,
  dataset,
  medianCostUsd,
}: {
  task: TaskHealth;
  dataset: Dataset;
  medianCostUsd: number | null;
}) {
  const { taskName, rate, evidence } = task;
  const [worst] = evidence;
  if (worst === undefined) return null;
  const mark = MARKS[worst.problem];
  const only = TRIALS[worst.problem] ?? {};
  return (
    <tr>
      <td className="name">
        <Link
          className="cut health-task"
          href={taskHref(taskName, { dataset: dataset.id })}
          title={taskName}
          data-row-link=""
        >
          {taskName}
        </Link>
      </td>
      <td>
        <span className="status-word">
          {mark === undefined ? null : <Mark status={mark} />}
          {PROBLEM_WORDS[worst.problem]}
        </span>
      </td>
      <td className="health-evidence">
        <EvidenceMarks trials={worst.trials} />
        {describeEvidence(worst, task, medianCostUsd)}
        {evidence.length === 1 ? null : <Others task={task} />}
      </td>
      <PassedCells rate={rate} minor />
      <td className="numeric">
        <span className="muted phone-only">item-rest </span>
        <ItemRest task={task} />
      </td>
      <td className="numeric">
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
      </td>
    </tr>
  );
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
