import { ChevronLeft, ChevronRight } from "lucide-react";

import { describeTrialsList } from "@/components/job/trials/trial-filters";
import { AttemptMarks } from "@/components/ui/attempt-marks";
import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { queueHref, queueItemHref } from "@/lib/pages/annotations/review-address";
import { besideHref } from "@/lib/pages/beside/address";
import type { QueueItemView } from "@/lib/pages/queues/item";
import { openTrialHref, TRIAL_TABS, type TrialTab } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";
import { trialsListHref, trialsPageHref } from "@/lib/pages/trials/address";

export function TrialNeighbours({ page, tab }: { page: TrialPage; tab: TrialTab }) {
  if (page.queueItem !== null) return <QueueNeighbours item={page.queueItem} />;
  const attempts = <Attempts page={page} tab={tab} />;
  if (page.inList === null) {
    return (
      <nav className="row trial-neighbours" aria-label="Trials">
        <NeighbourLink page={page} tab={tab} direction="previous" />
        {attempts}
        <NeighbourLink page={page} tab={tab} direction="next" />
      </nav>
    );
  }
  return (
    <nav className="row trial-neighbours" aria-label="Trials">
      {attempts}
      <span className="row trial-list">
        <NeighbourLink page={page} tab={tab} direction="previous" />
        <ListLink page={page} inList={page.inList} />
        <NeighbourLink page={page} tab={tab} direction="next" />
      </span>
    </nav>
  );
}

function QueueNeighbours({ item }: { item: QueueItemView }) {
  const { head, position, nItems, previous, next, previousOpen, nextOpen } = item;
  const step = (direction: keyof typeof DIRECTIONS, to: number | null) => {
    const { Icon, word, end } = DIRECTIONS[direction];
    const words = `${word} trial of the queue`;
    return to === null ? (
      <span className="button icon-only" aria-disabled="true" title={`This is the ${end} trial of the queue`}>
        <Icon size={16} aria-hidden />
      </span>
    ) : (
      <Link
        className="button icon-only"
        href={queueItemHref(head.queueId, to)}
        title={words}
        aria-label={words}
        data-neighbour={direction}
      >
        <Icon size={16} aria-hidden />
      </Link>
    );
  };
  return (
    <nav className="row trial-neighbours" aria-label="Trials of the queue">
      {previousOpen === null ? null : (
        <Link
          className="caption"
          href={queueItemHref(head.queueId, previousOpen)}
          data-command="queue.previous"
        >
          previous to do
        </Link>
      )}
      {nextOpen === null ? null : (
        <Link className="caption" href={queueItemHref(head.queueId, nextOpen)} data-command="queue.next">
          next to do
        </Link>
      )}
      <span className="row trial-list">
        {step("previous", previous)}
        <Link
          className="trial-list-link"
          href={queueHref(head.queueId)}
          title={`Back to the queue (l): ${head.settings.name}`}
          data-list=""
        >
          <b>{formatCount(position + 1)}</b> of {formatPlural(nItems, "trial")}
        </Link>
        {step("next", next)}
      </span>
    </nav>
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
      className="trial-list-link"
      href={trialsListHref(job.key, params, page, isListed ? trial.key : null)}
      title={`Back to the list: ${whole}`}
      data-list=""
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

function Attempts({
  page: { job, trial, at, neighbours, checks, task },
  tab,
}: {
  page: TrialPage;
  tab: TrialTab;
}) {
  const { attempts, nAttempts } = neighbours;
  return (
    <>
      <AttemptMarks
        attempts={attempts.map(({ key, attempt, outcome, exceptionType }) => ({
          key,
          attempt,
          outcome,
          detail: exceptionType ?? "",
          isSuspect: checks.suspects.has(key),
        }))}
        jobKey={job.key}
        query={{ ...(tab === TRIAL_TABS[0] ? {} : { tab }), ...(at.list === null ? {} : { list: at.list }) }}
        current={trial.key}
      />
      {nAttempts > attempts.length ? (
        <Link className="caption" href={trialsPageHref(job.key, { tasks: [trial.taskName] })}>
          all {formatCount(nAttempts)} attempts
        </Link>
      ) : null}
      {task.counterpart === null ? null : (
        <Link
          className="button"
          href={besideHref({ a: { jobKey: at.jobKey, trialKey: at.trialKey }, b: task.counterpart })}
          title="Compare side by side with another attempt"
          data-beside=""
        >
          Compare side by side
        </Link>
      )}
    </>
  );
}

const DIRECTIONS = {
  previous: { Icon: ChevronLeft, word: "Previous", end: "first" },
  next: { Icon: ChevronRight, word: "Next", end: "last" },
} as const;

function NeighbourLink({
  page: { at, neighbours, inList },
  tab,
  direction,
}: {
  page: TrialPage;
  tab: TrialTab;
  direction: keyof typeof DIRECTIONS;
}) {
  const { Icon, word, end } = DIRECTIONS[direction];
  const trial = inList?.[direction] ?? (inList === null ? neighbours[direction] : null);
  const where = inList === null ? "" : " in the list";
  if (trial === null) {
    return (
      <span className="button icon-only" aria-disabled="true" title={`This is the ${end} trial${where}`}>
        <Icon size={16} aria-hidden />
      </span>
    );
  }
  const words = `${word} trial${where}: ${trial.taskName}, attempt ${trial.attempt}`;
  return (
    <Link
      className="button icon-only"
      href={openTrialHref(
        { ...at, jobKey: inList?.[direction]?.jobKey ?? at.jobKey, trialKey: trial.key },
        { tab },
      )}
      title={words}
      aria-label={words}
      data-neighbour={direction}
    >
      <Icon size={16} aria-hidden />
    </Link>
  );
}
