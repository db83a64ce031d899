import { AgentName } from "@/components/ui/agent-name";
import { AttemptMarks } from "@/components/ui/attempt-marks";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TableSection } from "@/components/ui/table-section";
import { Unknown } from "@/components/ui/values";
import { formatCost, formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDay, formatDuration } from "@/lib/core/format/time";
import type { Distribution, Unavailable } from "@/lib/core/stats";
import type { TaskAgent, TaskPage, TaskRun } from "@/lib/pages/tasks/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { passedColumns } from "./passed";

export function TaskAttempts({ page }: { page: TaskPage }) {
  const { references, nMoreAgents } = page;
  const counted = listLines(page.agents);
  return (
    <TableSection
      title="Attempts"
      caption="Attempts by agent and job"
      note="by agent and job, best first"
      most={Infinity}
      columns={listColumns(page.taskName)}
      rows={[...counted, ...listLines(references)]}
      rowKey={({ key }) => key}
      rowClass={({ agent, run }) => (agent === null && run !== null ? "task-run" : undefined)}
      className="table-lines"
      heading={(_, at) =>
        at === counted.length ? (
          <>
            Reference <span className="muted">not counted with the agents</span>
          </>
        ) : null
      }
    >
      {nMoreAgents === 0 ? null : (
        <p className="caption">{formatPlural(nMoreAgents, "agent")} with a lower rate not listed.</p>
      )}
      <Methods>
        <p>
          Passed: attempts with a reward of at least 1, of those that ended, including errors and timeouts;
          interval 95 %, Wilson. Copies of a trial count once; regrades do not count. Attempts at another
          version of the task are shown but not counted. Medians are over attempts that report the value.
        </p>
      </Methods>
    </TableSection>
  );
}

/** An agent, one of its runs, or both if it has one run. */
interface Line {
  readonly key: string;
  readonly agent: TaskAgent | null;
  readonly run: TaskRun | null;
  /** Replaces the run. */
  readonly words?: string;
}

function listLines(agents: readonly TaskAgent[]): readonly Line[] {
  return agents.flatMap((agent): readonly Line[] => {
    const { runs, nMoreRuns } = agent;
    const key = `${agent.agent}\n${agent.model ?? ""}`;
    const [first] = runs;
    if (first !== undefined && runs.length === 1 && nMoreRuns === 0) return [{ key, agent, run: first }];
    const more = `${formatPlural(nMoreRuns, "more run")} not listed`;
    return [
      { key, agent, run: null, words: formatPlural(runs.length + nMoreRuns, "run") },
      ...runs.map((run, nth) => ({ key: `${key}\n${run.jobKey}\n${nth}`, agent: null, run })),
      ...(nMoreRuns === 0 ? [] : [{ key: `${key}\nmore`, agent: null, run: null, words: more }]),
    ];
  });
}

function listColumns(taskName: string): readonly DataColumn<Line>[] {
  return [
    column("Agent and model", ({ agent }) => (agent === null ? null : <AgentName {...agent} />), {
      phone: "first",
    }),
    column(
      "Job",
      ({ run, words }) =>
        run === null ? (
          <span className="muted">{words}</span>
        ) : (
          <Link className="cut" href={trialsPageHref(run.jobKey, { tasks: [taskName] })} title={run.jobName}>
            {run.jobName}
          </Link>
        ),
      { className: "name task-job", phone: "second" },
    ),
    column("Day", ({ run }) => (run === null ? null : formatDay(run.whenMs)), {
      className: "muted",
      room: "minor",
      title: "Start of the first attempt",
    }),
    column("Attempts", ({ run }) => (run === null ? null : <Marks run={run} />), { phone: "second" }),
    ...passedColumns<Line>({
      of: ({ agent }) => agent,
      without: ({ run }) =>
        run === null ? null : (
          <span className="muted">
            {run.nCounted === 0 ? <Unknown /> : `${formatCount(run.nPassed)} of ${formatCount(run.nCounted)}`}
          </span>
        ),
      phone: "end",
    }),
    median("Median cost, $", ({ cost }) => cost, formatCost),
    median(
      "Median steps",
      ({ steps }) => steps,
      (value) => formatCount(Math.round(value)),
    ),
    median("Median duration", ({ duration }) => duration, formatDuration),
  ];
}

function Marks({ run }: { run: TaskRun }) {
  return (
    <span className="task-marks">
      <AttemptMarks
        jobKey={run.jobKey}
        attempts={run.attempts.map(({ key, attempt, outcome, rewardText, exceptionType }) => ({
          key,
          attempt,
          outcome,
          detail: [rewardText === null ? "no reward" : `reward ${rewardText}`, exceptionType]
            .filter((part) => part !== null)
            .join(", "),
        }))}
      />
      {run.nMore === 0 ? null : <span className="caption">and {formatCount(run.nMore)} more</span>}
      {run.nOther === 0 ? null : (
        <span className="caption" title="Attempts at another version of the task are not counted">
          {run.nOther === run.attempts.length + run.nMore
            ? "another version"
            : `${formatCount(run.nOther)} at another version`}
        </span>
      )}
    </span>
  );
}

function median(
  header: string,
  read: (agent: TaskAgent) => Distribution | Unavailable,
  format: (value: number) => string,
): DataColumn<Line> {
  return column(
    header,
    ({ agent }) => {
      if (agent === null) return null;
      const of = read(agent);
      return of.kind === "unavailable" ? (
        <Unknown title="No attempt reports it" />
      ) : (
        <span
          title={`${format(of.min)} to ${format(of.max)}, ${formatPlural(of.n, "attempt")}${of.nUnknown === 0 ? "" : `, ${formatCount(of.nUnknown)} without`}`}
        >
          {format(of.median)}
        </span>
      );
    },
    { numeric: true, room: "minor" },
  );
}
