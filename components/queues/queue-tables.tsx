import type { ReactNode } from "react";

import { AnnotationTime, JudgmentWord, OutcomeWithReward } from "@/components/annotations/judgment-words";
import { ForAction } from "@/components/shell/account-context";
import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { formatAge, formatDuration } from "@/lib/core/format/time";
import { formatTask } from "@/lib/core/format/words";
import {
  conflictsHref,
  newQueueHref,
  queueHref,
  queueItemHref,
} from "@/lib/pages/annotations/review-address";
import { type QueueParams, queuePageHref } from "@/lib/pages/queues/address";
import type { QueueItemView } from "@/lib/pages/queues/item";
import type { QueueGroup, QueuePage, ShownQueueRow } from "@/lib/pages/queues/queue";
import type { QueueLine } from "@/lib/pages/queues/queues";
import type { UnreadableQueue } from "@/lib/people/annotations";

import { PutBack } from "./queue-actions";
import { GOAL_WORDS, STANDING_HEADINGS } from "./queue-words";

const QUEUES_COLUMNS: readonly DataColumn<QueueLine>[] = [
  column(
    "Queue",
    ({ queueId, settings }) => (
      <Link className="cut" href={queueHref(queueId)} data-row-link="" title={settings.name}>
        {settings.name}
      </Link>
    ),
    { className: "name", phone: "first" },
  ),
  column("Goal", ({ settings }) => GOAL_WORDS[settings.goal], { phone: "second", room: "minor" }),
  column("Made from", ({ settings }) => (settings.hides.includes("agent") ? "hidden" : settings.source), {
    className: "muted",
    room: "minor",
  }),
  column(
    "Reviewed",
    ({ counts }) => (
      <>
        {formatCount(counts.nReviewed)} <span className="muted">of {formatCount(counts.nTrials)}</span>
      </>
    ),
    { numeric: true, phone: "score" },
  ),
  column(
    "Left for you",
    ({ nLeft }) =>
      nLeft === null ? (
        <Unknown title="Unknown without your name, or for other reviewers" />
      ) : (
        formatCount(nLeft)
      ),
    { numeric: true, phone: "labelled", label: "Left for you" },
  ),
  column(
    "Conflicts",
    ({ queueId, counts }) => <Count value={counts.nConflicts} href={conflictsHref({ queue: queueId })} />,
    { numeric: true, phone: "labelled", label: "Conflicts" },
  ),
  column(
    "State",
    ({ isClosed, counts, nUnreadable }) => {
      const state = isClosed ? "closed" : counts.nReviewed === counts.nTrials ? "all reviewed" : "open";
      return nUnreadable === 0 ? state : `${state}, ${formatPlural(nUnreadable, "trial")} unreadable`;
    },
    { phone: "side" },
  ),
  column(
    "Made",
    ({ createdAt, createdBy }) => (
      <>
        {createdBy === "" ? null : `${createdBy}, `}
        <AnnotationTime timestamp={createdAt} />
      </>
    ),
    { className: "muted", phone: "end" },
  ),
];

export function QueuesTable({ rows }: { rows: readonly QueueLine[] }) {
  return (
    <DataTable
      caption="Review queues"
      columns={QUEUES_COLUMNS}
      rows={rows}
      rowKey={({ queueId }) => queueId}
    />
  );
}

export function UnreadableQueues({ queues }: { queues: readonly UnreadableQueue[] }) {
  return queues.map(({ seq, queueId, problem }) => (
    <Notice key={seq} title={`The queue ${queueId.slice(0, 100)} cannot be read`} tone="error">
      {problem}
    </Notice>
  ));
}

export function NoQueues() {
  return (
    <Notice
      title="No queues yet"
      actions={
        <>
          <ButtonLink href={"/trials"}>Open the trials</ButtonLink>
          <ForAction action="makeQueueAction">
            <ButtonLink href={newQueueHref({})}>Make a queue of all trials</ButtonLink>
          </ForAction>
        </>
      }
    >
      <p>
        A queue is a fixed set of trials that one or two people review. Filter a list of trials, or select
        some rows, then choose Review these.
      </p>
    </Notice>
  );
}

export function VanishedItem({ item }: { item: QueueItemView }) {
  const { head, subject, position, nItems, next, previous, nextOpen } = item;
  const { queueId, settings } = head;
  const onward = nextOpen ?? next ?? previous;
  return (
    <PageFrame
      narrow
      crumbs={[REVIEW, { label: settings.name, href: queueHref(queueId) }, { label: formatTask(subject) }]}
    >
      <PageTitle
        title={formatTask(subject)}
        summary={`Trial ${formatCount(position + 1)} of ${formatCount(nItems)} of the queue`}
      />
      <Notice
        title="This trial is not in the open folders"
        tone="error"
        actions={
          <>
            {onward === null ? null : (
              <ButtonLink look="main" href={queueItemHref(queueId, onward)}>
                Next trial of the queue
              </ButtonLink>
            )}
            <ButtonLink href={queueHref(queueId)}>Back to the queue</ButtonLink>
          </>
        }
      >
        <p>
          Its folder {subject.rootLabel} was moved, renamed or closed. Its judgments are kept. Open its folder
          to find it again.
        </p>
      </Notice>
    </PageFrame>
  );
}

interface Line extends ShownQueueRow {
  readonly queueId: string;
  readonly nowMs: number;
  readonly prefix: string;
  readonly heading: ReactNode;
  readonly more: ReactNode;
}

const COLUMNS: readonly DataColumn<Line>[] = [
  column("Trial", (line) => <TrialCell {...line} />, { className: "name", phone: "first" }),
  column(
    "Agent",
    ({ agent, identity }) => (agent === null ? <Hidden /> : <AgentName identity={identity} {...agent} />),
    { phone: "second" },
  ),
  column(
    "Verifier",
    ({ verifier }) => (verifier === "hidden" ? <Hidden /> : <OutcomeWithReward {...verifier} />),
    { phone: "labelled" },
  ),
  column("Steps", ({ nSteps }) => (nSteps === null ? <Unknown /> : formatCount(nSteps)), {
    numeric: true,
    room: "minor",
  }),
  column("Duration", ({ durationMs }) => (durationMs === null ? <Unknown /> : formatDuration(durationMs)), {
    numeric: true,
    room: "minor",
  }),
  column(
    "You",
    ({ mine, standing }) =>
      mine === null ? (
        <span className="muted">
          {standing === "todo" ? "to do" : standing === "skipped" ? "skipped" : "—"}
        </span>
      ) : (
        <JudgmentWord judgment={mine} />
      ),
    { phone: "side" },
  ),
  column("Others", ({ others }) => <Others others={others} />, { phone: "labelled" }),
  {
    id: "decided",
    header: "Decided",
    meta: { phone: "labelled", title: "Decision on a conflict of reviewers" },
    isFilled: ({ decided }) => decided !== null,
    cell: ({ decided }) =>
      decided === null || decided === "left open" ? (
        <span className="muted">{decided}</span>
      ) : (
        <JudgmentWord judgment={decided} />
      ),
  },
  column(
    "Categories",
    ({ categories }) => {
      const words = categories.join(", ");
      return (
        <span className="cut queue-categories" title={words}>
          {words}
        </span>
      );
    },
    { room: "minor" },
  ),
  column("Last change", (line) => <LastChange {...line} />, {
    className: "muted",
    room: "spare",
    phone: "end",
  }),
];

/** These do not fit next to a decision. */
const WITH_DECISION: readonly DataColumn<Line>[] = COLUMNS.map((one) =>
  one.header === "Steps" || one.header === "Duration"
    ? { ...one, meta: { ...one.meta, room: "spare" } }
    : one,
);

export function QueueTable({ page, params }: { page: QueuePage; params: QueueParams }) {
  const { queueId } = page.queue;
  const prefix = findSharedPrefix(page.groups.flatMap(({ rows }) => rows.map(({ taskName }) => taskName)));
  const drawMore = ({ standing, place, rows }: QueueGroup) => {
    const nMore = place.nMatching - rows.length;
    if (nMore === 0 || params.standings.length === 1) return null;
    const href = queuePageHref(queueId, params, { standings: [standing] });
    return <Link href={href}>{formatCount(nMore)} more</Link>;
  };
  const lines = page.groups.flatMap((group) =>
    group.rows.map((row, at): Line => ({
      ...row,
      queueId,
      nowMs: page.nowMs,
      prefix,
      heading: at === 0 ? <Heading group={group} queueId={queueId} /> : null,
      more: at === group.rows.length - 1 ? drawMore(group) : null,
    })),
  );
  return (
    <DataTable
      caption="Trials of the queue"
      className="table-lines"
      columns={lines.some(({ decided }) => decided !== null) ? WITH_DECISION : COLUMNS}
      rows={lines}
      rowKey={({ position }) => position}
      heading={({ heading }) => heading}
      below={({ more }) => more}
    />
  );
}

function Heading({ group: { standing, place }, queueId }: { group: QueueGroup; queueId: string }) {
  return (
    <>
      {STANDING_HEADINGS[standing]} <span className="muted">{formatCount(place.nMatching)}</span>
      {standing === "conflict" ? (
        <span className="muted">
          , <Link href={conflictsHref({ queue: queueId })}>decide side by side</Link>
        </span>
      ) : null}
    </>
  );
}

function TrialCell({ queueId, position, taskName, prefix, trial, standing }: Line) {
  return (
    <span className="row queue-trial">
      <Link className="cut" href={queueItemHref(queueId, position)} data-row-link="" title={taskName}>
        <FoldedName name={taskName} prefix={prefix} />
      </Link>
      <span className="muted">{trial === null ? "in no open folder" : `attempt ${trial.attempt}`}</span>
      {standing === "skipped" ? (
        <ForAction action="putBackAction">
          <PutBack queueId={queueId} position={position} taskName={taskName} />
        </ForAction>
      ) : null}
    </span>
  );
}

function Hidden() {
  return <span className="muted">hidden</span>;
}

function Others({ others }: Pick<Line, "others">) {
  if (others.length === 0) return <Unknown title="No other reviewer" />;
  return others.map(({ reviewerId, judgment }) => (
    <span key={reviewerId} className="inline-row queue-other">
      {judgment === null ? (
        <span className="muted">{reviewerId}: saved, hidden</span>
      ) : (
        <>
          <span className="muted">{reviewerId}</span> <JudgmentWord judgment={judgment} />
        </>
      )}
    </span>
  ));
}

function LastChange({ holder, lastChange, nowMs }: Line) {
  if (holder !== null) {
    const age = formatAge(nowMs - Date.parse(holder.grantedAt));
    return `held by ${holder.reviewerId}, ${age}`;
  }
  if (lastChange === null) return null;
  return (
    <>
      {lastChange.reviewerId}, <AnnotationTime timestamp={lastChange.timestamp} />
    </>
  );
}
