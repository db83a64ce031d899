import { AgentName } from "@/components/ui/agent-name";
import { AttemptMarks } from "@/components/ui/attempt-marks";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { jobHref } from "@/lib/pages/address/href";
import type { TrialPage } from "@/lib/pages/trial/page";
import type { TaskAround } from "@/lib/pages/trial/task";

import "./task-strip.css";

type TaskGroup = TaskAround["groups"][number];

const MOST_OPEN = 8;

/** Longer job names do not fit (style sheet): what they share is dropped first. */
const MOST_NAME = 22;

export function TaskStrip({ page: { task, job, trial } }: { page: TrialPage }) {
  const { groups, nMoreGroups } = task;
  if (groups.length === 0) return null;
  const isOneJobEach = new Set([trial, ...groups].map(nameAgent)).size === groups.length + 1;
  const names = [job.name, ...groups.map(({ jobName }) => jobName)];
  const prefix = names.some(({ length }) => length > MOST_NAME) ? findSharedPrefix(names) : "";
  const draw = (group: TaskGroup, nth: number) => (
    <li key={nth} title={group.jobKey === job.key ? undefined : `in job ${group.jobName}`}>
      <AgentName {...group} />
      {group.jobKey === job.key || isOneJobEach ? null : (
        <Link className="caption cut" href={jobHref(group.jobKey)}>
          <FoldedName name={group.jobName} prefix={prefix} />
        </Link>
      )}
      <AttemptMarks
        jobKey={group.jobKey}
        attempts={group.attempts.map((attempt) => ({
          ...attempt,
          detail: [
            attempt.rewardText === null ? "no reward" : `reward ${attempt.rewardText}`,
            attempt.exceptionType,
          ]
            .filter((part) => part !== null)
            .join(", "),
        }))}
      />
    </li>
  );
  const rest = groups.slice(MOST_OPEN);
  return (
    <section className="task-strip" aria-label="The same task elsewhere">
      <h2 className="muted nowrap">Same task</h2>
      <div>
        <ul>{groups.slice(0, MOST_OPEN).map(draw)}</ul>
        {rest.length === 0 ? null : (
          <details>
            <summary className="caption">{formatPlural(rest.length, "more run")}</summary>
            <ul>{rest.map(draw)}</ul>
            {nMoreGroups === 0 ? null : (
              <p className="caption">{formatCount(nMoreGroups)} more are not listed.</p>
            )}
          </details>
        )}
      </div>
    </section>
  );
}

function nameAgent({ agent, model }: Pick<TaskGroup, "agent" | "model">): string {
  return `${agent}\n${model ?? ""}`;
}
