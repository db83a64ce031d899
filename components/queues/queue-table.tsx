import type { ReactNode } from "react";

import { AnnotationTime, JudgmentWord, OutcomeWithReward } from "@/components/annotations/judgment-words";
import { ForAction } from "@/components/shell/account-context";
import { AgentName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { formatCount } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { formatAge, formatDuration } from "@/lib/core/format/time";
import { conflictsHref, queueItemHref } from "@/lib/pages/annotations/review-address";
import { type QueueParams, queuePageHref } from "@/lib/pages/queues/address";
import type { QueueGroup, QueuePage, ShownQueueRow } from "@/lib/pages/queues/queue";

import { PutBack } from "./queue-actions";
import { STANDING_HEADINGS } from "./queue-words";

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
    { phone: "score" },
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
  const lines = page.groups.flatMap((group) =>
    group.rows.map((row, at): Line => ({
      ...row,
      queueId,
      nowMs: page.nowMs,
      prefix,
      heading: at === 0 ? <Heading group={group} queueId={queueId} /> : null,
      more: at === group.rows.length - 1 ? <More group={group} queueId={queueId} params={params} /> : null,
    })),
  );
  return (
    <DataTable
      caption="Trials of the queue"
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

function More({
  group: { standing, place, rows },
  queueId,
  params,
}: {
  group: QueueGroup;
  queueId: string;
  params: QueueParams;
}) {
  const nMore = place.nMatching - rows.length;
  if (nMore === 0 || params.standings.length === 1) return null;
  return (
    <Link href={queuePageHref(queueId, params, { standings: [standing] })}>{formatCount(nMore)} more</Link>
  );
}

function TrialCell({ queueId, position, taskName, prefix, trial, standing }: Line) {
  return (
    <span className="queue-trial">
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
    <span key={reviewerId} className="queue-other">
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
