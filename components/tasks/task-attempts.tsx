import { AgentName } from "@/components/ui/agent-name";
import { AttemptMarks } from "@/components/ui/attempt-marks";
import { IntervalHeading } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Section } from "@/components/ui/page-title";
import { type Column, Table } from "@/components/ui/table";
import { Unknown } from "@/components/ui/values";
import { formatCost, formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDay, formatDuration } from "@/lib/core/format/time";
import type { Distribution, Unavailable } from "@/lib/core/stats";
import { jobTrialsHref } from "@/lib/pages/job/address";
import type { TaskAgent, TaskPage, TaskRun } from "@/lib/pages/tasks/page";

import { PassedCells } from "./passed";

const COLUMNS: readonly Column[] = [
  { id: "agent", label: "Agent and model" },
  { id: "job", label: "Job" },
  { id: "day", label: "Day", minor: true, title: "Of the first attempt" },
  { id: "attempts", label: "Attempts" },
  { id: "passed", label: "Passed", numeric: true },
  { id: "interval", label: <IntervalHeading /> },
  { id: "cost", label: "Median cost, $", numeric: true, minor: true },
  { id: "steps", label: "Median steps", numeric: true, minor: true },
  { id: "duration", label: "Median duration", numeric: true, minor: true },
];

export function TaskAttempts({ page }: { page: TaskPage }) {
  const { agents, references, nMoreAgents } = page;
  return (
    <Section title="Attempts" note="by agent and job, best first">
      <Table caption="Attempts by agent and job" columns={COLUMNS} className="task-attempts">
        <AgentRows agents={agents} taskName={page.taskName} />
        {references.length === 0 ? null : (
          <>
            <tbody>
              <tr>
                <th scope="rowgroup" colSpan={COLUMNS.length} className="task-part">
                  Reference <span className="muted">not counted with the agents</span>
                </th>
              </tr>
            </tbody>
            <AgentRows agents={references} taskName={page.taskName} />
          </>
        )}
      </Table>
      {nMoreAgents === 0 ? null : (
        <p className="caption">{formatPlural(nMoreAgents, "agent")} with a lower rate not listed.</p>
      )}
      <Methods>
        <p>
          Passed: attempts with a reward of 1 or more, of those that ended, with errors and timeouts among
          them; interval 95 %, Wilson. Of several copies of a trial one counts, and regrades do not. Attempts
          at another version of the task are drawn and not counted. Medians are over the attempts that report
          the value.
        </p>
      </Methods>
    </Section>
  );
}

function AgentRows({ agents, taskName }: { agents: readonly TaskAgent[]; taskName: string }) {
  return agents.map((agent) => {
    const [first] = agent.runs;
    const isOne = agent.runs.length === 1 && agent.nMoreRuns === 0;
    return (
      <tbody key={`${agent.agent}\n${agent.model ?? ""}`}>
        <tr>
          <td>
            <AgentName {...agent} />
          </td>
          {isOne && first !== undefined ? (
            <RunCells run={first} taskName={taskName} />
          ) : (
            <td colSpan={3} className="muted">
              {formatPlural(agent.runs.length + agent.nMoreRuns, "run")}
            </td>
          )}
          <PassedCells rate={agent.rate} identity={agent.identity} />
          <MedianCells agent={agent} />
        </tr>
        {isOne
          ? null
          : agent.runs.map((run, nth) => (
              <tr key={`${run.jobKey}\n${String(nth)}`} className="task-run">
                <td />
                <RunCells run={run} taskName={taskName} />
                <td className="numeric muted">
                  {run.nCounted === 0 ? (
                    <Unknown />
                  ) : (
                    `${formatCount(run.nPassed)} of ${formatCount(run.nCounted)}`
                  )}
                </td>
                <td />
                <td className="minor" colSpan={3} />
              </tr>
            ))}
        {agent.nMoreRuns === 0 ? null : (
          <tr>
            <td />
            <td colSpan={COLUMNS.length - 1} className="muted">
              {formatPlural(agent.nMoreRuns, "more run")} not listed
            </td>
          </tr>
        )}
      </tbody>
    );
  });
}

function RunCells({ run, taskName }: { run: TaskRun; taskName: string }) {
  return (
    <>
      <td className="name task-job">
        <Link className="cut" href={jobTrialsHref(run.jobKey, { tasks: [taskName] })} title={run.jobName}>
          {run.jobName}
        </Link>
      </td>
      <td className="minor muted">{formatDay(run.whenMs)}</td>
      <td>
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
      </td>
    </>
  );
}

function MedianCells({ agent: { cost, steps, duration } }: { agent: TaskAgent }) {
  return (
    <>
      <MedianCell of={cost} format={formatCost} />
      <MedianCell of={steps} format={(value) => formatCount(Math.round(value))} />
      <MedianCell of={duration} format={formatDuration} />
    </>
  );
}

function MedianCell({ of, format }: { of: Distribution | Unavailable; format: (value: number) => string }) {
  return (
    <td className="numeric minor">
      {of.kind === "unavailable" ? (
        <Unknown title="No attempt reports it" />
      ) : (
        <span
          title={`${format(of.min)} to ${format(of.max)}, ${formatPlural(of.n, "attempt")}${of.nUnknown === 0 ? "" : `, ${formatCount(of.nUnknown)} without`}`}
        >
          {format(of.median)}
        </span>
      )}
    </td>
  );
}
