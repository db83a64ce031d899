import { AnnotationTime } from "@/components/annotations/judgment-words";
import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { conflictsHref, newQueueHref, queueHref } from "@/lib/pages/annotations/review-address";
import type { QueueLine } from "@/lib/pages/queues/queues";
import type { UnreadableQueue } from "@/lib/people/annotations";

import { GOAL_WORDS } from "./queue-words";

const COLUMNS: readonly DataColumn<QueueLine>[] = [
  {
    id: "name",
    header: "Queue",
    meta: { className: "name", phone: "first" },
    cell: ({ queueId, settings }) => (
      <Link className="cut" href={queueHref(queueId)} data-row-link="" title={settings.name}>
        {settings.name}
      </Link>
    ),
  },
  {
    id: "goal",
    header: "Goal",
    meta: { phone: "second", room: "minor" },
    cell: ({ settings }) => GOAL_WORDS[settings.goal],
  },
  {
    id: "source",
    header: "Made from",
    meta: { className: "muted", room: "minor" },
    cell: ({ settings }) => (settings.hides.includes("agent") ? "hidden" : settings.source),
  },
  {
    id: "reviewed",
    header: "Reviewed",
    meta: { numeric: true, phone: "score" },
    cell: ({ counts }) => (
      <>
        {formatCount(counts.nReviewed)} <span className="muted">of {formatCount(counts.nTrials)}</span>
      </>
    ),
  },
  {
    id: "left",
    header: "Left for you",
    meta: { numeric: true, phone: "labelled", label: "Left for you" },
    cell: ({ nLeft }) =>
      nLeft === null ? <Unknown title="Not known without your name, or for others" /> : formatCount(nLeft),
  },
  {
    id: "conflicts",
    header: "Conflicts",
    meta: { numeric: true, phone: "labelled", label: "Conflicts" },
    cell: ({ queueId, counts }) => (
      <Count value={counts.nConflicts} href={conflictsHref({ queue: queueId })} />
    ),
  },
  {
    id: "state",
    header: "State",
    meta: { phone: "side" },
    cell: ({ isClosed, counts, nUnreadable }) => {
      const state = isClosed ? "closed" : counts.nReviewed === counts.nTrials ? "all reviewed" : "open";
      return nUnreadable === 0 ? state : `${state}, ${formatPlural(nUnreadable, "trial")} unreadable`;
    },
  },
  {
    id: "made",
    header: "Made",
    meta: { className: "muted", phone: "end" },
    cell: ({ createdAt, createdBy }) => (
      <>
        {createdBy === "" ? null : `${createdBy}, `}
        <AnnotationTime timestamp={createdAt} />
      </>
    ),
  },
];

export function QueuesTable({ rows }: { rows: readonly QueueLine[] }) {
  return (
    <DataTable caption="Review queues" columns={COLUMNS} rows={rows} rowKey={({ queueId }) => queueId} />
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
      title="No queue yet"
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
        A queue is a fixed set of trials that one or two people review one by one. Filter any list of trials,
        or select some of its rows, and choose Review these.
      </p>
    </Notice>
  );
}
