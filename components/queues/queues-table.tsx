import { AnnotationTime } from "@/components/annotations/judgment-words";
import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { conflictsHref, newQueueHref, queueHref } from "@/lib/pages/annotations/review-address";
import type { QueueLine } from "@/lib/pages/queues/queues";
import type { UnreadableQueue } from "@/lib/people/annotations";

import { GOAL_WORDS } from "./queue-words";

const COLUMNS: readonly DataColumn<QueueLine>[] = [
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
