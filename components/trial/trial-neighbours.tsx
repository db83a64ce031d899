import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Route } from "next";

import { describeTrialsList } from "@/components/job/trials/trial-filters";
import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { queueHref, queueItemHref } from "@/lib/pages/annotations/review-address";
import { diffHref } from "@/lib/pages/diff/address";
import type { QueueItemView } from "@/lib/pages/queues/item";
import { openTrialHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";
import { trialsListHref } from "@/lib/pages/trials/address";

import { AttemptStrip } from "./attempt-strip";
import type { ShownTrial } from "./trial-parts";

export function TrialNeighbours({ page }: { page: ShownTrial }) {
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
          className="trial-list-link"
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
      className="trial-list-link"
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
