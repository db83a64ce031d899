import { AgentName } from "@/components/ui/agent-name";
import { type AttemptMark, AttemptMarks } from "@/components/ui/attempt-marks";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { jobHref } from "@/lib/pages/address/href";
import type { TaskAround } from "@/lib/pages/trial/task";
import { trialsPageHref } from "@/lib/pages/trials/address";

import type { ShownTrial } from "./trial-parts";

/** If there are more, only the marks of the trial's own job are outside the menu. */
const MOST_MARKS = 16;

/** Longer job names do not fit (style sheet): what they share is dropped first. */
const MOST_NAME = 22;

export function AttemptStrip({ page }: { page: ShownTrial }) {
  const { task, job, trial, neighbours } = page;
  const { groups, nMoreGroups } = task;
  const { attempts, nAttempts } = neighbours;
  const own = {
    ...{ jobKey: job.key, agent: trial.agent, model: trial.model },
    attempts: attempts.map((one) => ({ ...one, isSuspect: page.checks.suspects.has(one.key) })),
  };
  const all = [...attempts, ...groups.flatMap((group) => group.attempts)];
  if (all.length < 2) return null;
  const isWhole = nMoreGroups === 0 && !task.isCut && nAttempts === attempts.length;
  const nPassed = all.filter(({ outcome }) => outcome === "passed").length;
  const isOneJobEach = new Set([trial, ...groups].map(nameAgent)).size === groups.length + 1;
  const names = [job.name, ...groups.map(({ jobName }) => jobName)];
  const prefix = names.some(({ length }) => length > MOST_NAME) ? findSharedPrefix(names) : "";
  return (
    <>
      <span className="attempt-strip">
        <Marks page={page} group={own} isOwn />
        {all.length > MOST_MARKS
          ? null
          : groups.map((group, nth) => <Marks key={nth} page={page} group={group} />)}
      </span>
      <details className="facet facet-end attempt-menu" data-menu="">
        <summary>
          {isWhole
            ? `${formatCount(nPassed)} of ${formatCount(all.length)} passed`
            : `${formatCount(all.length)}+ attempts`}
        </summary>
        <section className="facet-panel" aria-label="The same task elsewhere">
          <ul>
            {groups.map((group, nth) => (
              <li key={nth} className="row" title={`in job ${group.jobName}`}>
                <AgentName {...group} />
                {group.jobKey === job.key || isOneJobEach ? null : (
                  <Link className="caption cut" href={jobHref(group.jobKey)}>
                    <FoldedName name={group.jobName} prefix={prefix} />
                  </Link>
                )}
                <Marks page={page} group={group} />
              </li>
            ))}
          </ul>
          {nAttempts > attempts.length ? (
            <Link className="facet-option" href={trialsPageHref(job.key, { tasks: [trial.taskName] })}>
              all {formatCount(nAttempts)} attempts in this job
            </Link>
          ) : null}
          {nMoreGroups === 0 ? null : (
            <p className="caption">{formatPlural(nMoreGroups, "more run")} not listed.</p>
          )}
        </section>
      </details>
    </>
  );
}

type Attempts = Pick<TaskAround["groups"][number], "jobKey" | "agent" | "model"> & {
  readonly attempts: readonly (AttemptMark & {
    readonly exceptionType: string | null;
    readonly rewardText?: string | null;
  })[];
};

function Marks({
  page: { job, trial, at, search },
  group: { jobKey, agent, model, attempts },
  isOwn = false,
}: {
  page: ShownTrial;
  group: Attempts;
  isOwn?: boolean;
}) {
  return (
    <AttemptMarks
      jobKey={jobKey}
      query={{
        ...(search.tab === "trajectory" ? {} : { tab: search.tab }),
        ...(at.list === null || jobKey !== job.key ? {} : { list: at.list }),
      }}
      {...(isOwn ? { current: trial.key } : {})}
      attempts={attempts.map(({ exceptionType, rewardText, ...attempt }) => ({
        ...attempt,
        detail: [
          ...(rewardText === undefined ? [] : [rewardText === null ? "no reward" : `reward ${rewardText}`]),
          ...(exceptionType === null ? [] : [exceptionType]),
          ...(isOwn ? [] : [`${agent} ${model ?? ""}`.trim()]),
        ].join(", "),
      }))}
    />
  );
}

function nameAgent({ agent, model }: Pick<Attempts, "agent" | "model">): string {
  return `${agent}\n${model ?? ""}`;
}
