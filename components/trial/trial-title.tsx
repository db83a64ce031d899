import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Route } from "next";

import { describeTrialsList } from "@/components/job/trials/trial-filters";
import { AgentName } from "@/components/ui/agent-name";
import { type AttemptMark, AttemptMarks } from "@/components/ui/attempt-marks";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { type Tab, Tabs } from "@/components/ui/tabs";
import { readCost } from "@/lib/core/domain/spending";
import { MISSING, formatCost, formatCount, formatPlural } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { COPIED_COST_WORDS, OUTCOME_WORDS, capitalise, formatTask } from "@/lib/core/format/words";
import { jobHref } from "@/lib/pages/address/href";
import { queueHref, queueItemHref } from "@/lib/pages/annotations/review-address";
import { diffHref } from "@/lib/pages/diff/address";
import type { QueueItemView } from "@/lib/pages/queues/item";
import { trialTaskHref } from "@/lib/pages/tasks/address";
import { type TrialTab, listShownTabs, openTrialHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";
import type { TaskAround } from "@/lib/pages/trial/task";
import { trialsListHref, trialsPageHref } from "@/lib/pages/trials/address";

import type { ShownTrial } from "./trial-parts";

export function TrialTitle({ page }: { page: ShownTrial }) {
  const { trial, hidden } = page;
  const costUsd = readCost(trial);
  const task = formatTask(trial);
  const own = task.slice(task.lastIndexOf("/") + 1);
  const name = (
    <>
      <span className="trial-prefix">{task.slice(0, task.length - own.length)}</span>
      {own}
    </>
  );
  return (
    <div className="row trial-title">
      {hidden.includes("verifier") ? null : (
        <Mark status={trial.outcome} size={16} label={capitalise(OUTCOME_WORDS[trial.outcome])} />
      )}
      <h1 className="cut" title={task}>
        {/* A queue hides the results of others. */}
        {page.at.queue === null && trial.taskName !== "" ? (
          <Link className="quiet" href={trialTaskHref(trial)}>
            {name}
          </Link>
        ) : (
          name
        )}
      </h1>
      {hidden.includes("agent") ? (
        <span className="muted nowrap">agent hidden</span>
      ) : (
        <AgentName identity={page.identity} agent={trial.agent} model={trial.model} />
      )}
      {costUsd === null ? null : (
        <span
          className="muted nowrap trial-cost"
          title={trial.sourceTrial === null ? undefined : COPIED_COST_WORDS}
        >
          ${formatCost(costUsd)}
          {trial.sourceTrial === null ? "" : ", copied"}
        </span>
      )}
      <TrialNeighbours page={page} />
    </div>
  );
}

export function nameTrial({ trial, neighbours }: TrialPage): string {
  if (neighbours.nAttempts < 2) return formatTask(trial);
  return `${formatTask(trial)}, ${trial.agent}, attempt ${trial.attempt}`;
}

const LABELS: Readonly<Record<TrialTab, string>> = {
  trajectory: "Trace",
  steps: "Steps",
  tests: "Tests",
  evaluation: "Evidence",
  files: "Files",
  log: "Log",
  config: "Config",
};

/** Steps is shown only if the trial has several. */
export function TrialTabs({ page }: { page: ShownTrial }) {
  const { at, trial } = page;
  const current = page.search.tab;
  const counts: Partial<Record<TrialTab, Tab["count"]>> = {
    trajectory: page.unreadSteps === null ? page.nSteps : MISSING,
    steps: trial.steps?.length ?? null,
    tests: page.testTally === null ? null : (page.testTally.nTests ?? MISSING),
    files: page.lock === null ? page.nFiles : MISSING,
  };
  return (
    <Tabs
      label="Parts of the trial"
      current={current}
      tabs={listShownTabs(page.hidden)
        .filter((tab) => tab !== "steps" || trial.steps !== null || current === "steps")
        .map((tab) => ({
          id: tab,
          label: LABELS[tab],
          href: openTrialHref(at, { tab }),
          count: counts[tab] ?? null,
        }))}
    />
  );
}

function TrialNeighbours({ page }: { page: ShownTrial }) {
  const { at, inList, neighbours, queueItem, search, task } = page;
  const draw = (direction: keyof typeof DIRECTIONS) => {
    const trial = (inList ?? neighbours)[direction];
    const jobKey = inList?.[direction]?.jobKey ?? at.jobKey;
    return (
      <Neighbour
        direction={direction}
        where={inList === null ? "" : " in the list"}
        name={trial === null ? "" : `: ${formatTask(trial)}, attempt ${trial.attempt}`}
        href={trial && openTrialHref({ ...at, jobKey, trialKey: trial.key }, { tab: search.tab })}
      />
    );
  };
  return (
    <nav className="row trial-neighbours" aria-label={queueItem === null ? "Trials" : "Trials of the queue"}>
      <AttemptStrip page={page} />
      {queueItem === null ? (
        <span className="row trial-list">
          {draw("previous")}
          {inList === null ? null : <ListLink page={page} inList={inList} />}
          {draw("next")}
        </span>
      ) : (
        <QueueNeighbours item={queueItem} />
      )}
      {queueItem !== null || task.counterpart === null ? null : (
        <Link
          className="button"
          href={diffHref({ a: { jobKey: at.jobKey, trialKey: at.trialKey }, b: task.counterpart })}
          title="Compare side by side with another attempt"
          data-command="trial.diff"
        >
          Diff
        </Link>
      )}
    </nav>
  );
}

function QueueNeighbours({ item }: { item: QueueItemView }) {
  const { head, position, nItems, previousOpen, nextOpen } = item;
  const hrefOf = (to: number) => queueItemHref(head.queueId, to);
  const draw = (direction: keyof typeof DIRECTIONS) => {
    const to = item[direction];
    return <Neighbour direction={direction} where=" of the queue" href={to === null ? null : hrefOf(to)} />;
  };
  return (
    <>
      {previousOpen === null ? null : (
        <Link className="caption" href={hrefOf(previousOpen)} data-command="queue.previous">
          previous to do
        </Link>
      )}
      {nextOpen === null ? null : (
        <Link className="caption" href={hrefOf(nextOpen)} data-command="queue.next">
          next to do
        </Link>
      )}
      <span className="row trial-list">
        {draw("previous")}
        <Link
          className="cut trial-list-link"
          href={queueHref(head.queueId)}
          title={`Back to the queue (l): ${head.settings.name}`}
          data-command="trial.list"
        >
          <b>{formatCount(position + 1)}</b> of {formatPlural(nItems, "trial")}
        </Link>
        {draw("next")}
      </span>
    </>
  );
}

const DIRECTIONS = {
  previous: { Icon: ChevronLeft, word: "Previous", end: "first" },
  next: { Icon: ChevronRight, word: "Next", end: "last" },
} as const;

function Neighbour({
  direction,
  where,
  name = "",
  href,
}: {
  direction: keyof typeof DIRECTIONS;
  where: string;
  name?: string;
  href: Route | null;
}) {
  const { Icon, word, end } = DIRECTIONS[direction];
  if (href === null)
    return (
      <span className="button icon-only" aria-disabled="true" title={`This is the ${end} trial${where}`}>
        <Icon size={16} aria-hidden />
      </span>
    );
  const words = `${word} trial${where}${name}`;
  return (
    <Link
      className="button icon-only"
      href={href}
      title={words}
      aria-label={words}
      data-command={`trial.${direction}`}
    >
      <Icon size={16} aria-hidden />
    </Link>
  );
}

function ListLink({
  page: { job, trial },
  inList,
}: {
  page: TrialPage;
  inList: NonNullable<TrialPage["inList"]>;
}) {
  const { params, page, nBefore, isListed } = inList;
  const { whole } = describeTrialsList(params, job);
  return (
    <Link
      className="cut trial-list-link"
      href={trialsListHref(job.key, params, page, isListed ? trial.key : null)}
      title={`Back to the list: ${whole}`}
      data-command="trial.list"
    >
      {isListed ? (
        <>
          <b>{formatCount(nBefore + 1)}</b> of{" "}
        </>
      ) : (
        "not among "
      )}
      {nameTrialsList({ job, inList })}
    </Link>
  );
}

export function nameTrialsList({ job, inList }: Pick<TrialPage, "job" | "inList">): string | null {
  if (inList === null) return null;
  const { before, behind } = describeTrialsList(inList.params, job);
  return `${formatPlural(inList.nMatching, `${before}trial`)}${behind}`;
}

/** If there are more, only the marks of the trial's own job are outside the menu. */
const MOST_MARKS = 16;

/** Longer job names do not fit (style sheet): what they share is dropped first. */
const MOST_NAME = 22;

function AttemptStrip({ page }: { page: ShownTrial }) {
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
      <span className="row attempt-strip">
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
