import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { drawUnlessUnreadable } from "@/components/annotations/annotations-page";
import { UndoLast } from "@/components/annotations/undo-last";
import { CloseQueue, ReviewNext, ReviewerForm } from "@/components/queues/queue-actions";
import {
  NoQueueRows,
  QueueFilters,
  QueueNotes,
  describeQueue,
  QueueProgress,
  QueueSummary,
  QueueSide,
} from "@/components/queues/queue-head";
import { QueueTable } from "@/components/queues/queue-tables";
import { ForAction } from "@/components/shell/account-context";
import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { NotFoundError } from "@/lib/core/domain/app-error";
import { decodeSegment } from "@/lib/core/domain/segment";
import { queueExportHref } from "@/lib/pages/annotations/review-address";
import { queueAddress, queuePageHref } from "@/lib/pages/queues/address";
import { getQueuePage } from "@/lib/pages/queues/queue";

import "@/components/queues/queues.css";

export const metadata: Metadata = { title: "Queue" };

export default function QueueRoute(props: PageProps<"/annotations/queues/[queue]">) {
  return drawUnlessUnreadable("Queue", () => drawPage(props));
}

async function drawPage({ params, searchParams }: PageProps<"/annotations/queues/[queue]">) {
  const [{ queue: segment }, search] = await Promise.all([params, searchParams]);
  const queueId = decodeSegment(segment);
  const filter = queueAddress.read(search);
  const page = await getQueuePage(queueId, filter).catch((error: unknown) => {
    if (error instanceof NotFoundError) notFound();
    throw error;
  });
  const { queue, groups, mine, isReviewer, reviewer } = page;
  const [paged] = filter.standings.length === 1 ? groups : [];
  return (
    <PageFrame crumbs={[REVIEW, { label: queue.settings.name }]} unknown={queueAddress.listUnknown(search)}>
      <PageTitle
        title={queue.settings.name}
        {...(queue.isClosed ? { suffix: "closed" } : {})}
        summary={describeQueue(page)}
        actions={
          <>
            <ButtonLink href={queueExportHref(queueId)} download>
              Export judgments
            </ButtonLink>
            <ForAction action="closeQueueAction">
              <CloseQueue queueId={queueId} isClosed={queue.isClosed} />
            </ForAction>
            <UndoLast />
            {queue.isClosed || !isReviewer || mine.nLeft === 0 || reviewer.reviewerKey === "" ? null : (
              <ForAction action="openNextAction">
                <ReviewNext queueId={queueId} />
              </ForAction>
            )}
          </>
        }
      />
      {reviewer.reviewerKey === "" && !queue.isClosed ? (
        <ReviewerForm names={queue.settings.reviewers} />
      ) : null}
      <QueueNotes page={page} />
      <QueueSummary page={page} />
      <QueueProgress page={page} />
      <div className="queue-columns">
        <div>
          <QueueFilters page={page} params={filter} />
          {groups.length === 0 ? (
            <NoQueueRows
              queueId={queueId}
              params={filter}
              count={(change) => Promise.resolve(page.countMatching(change))}
            />
          ) : (
            <QueueTable page={page} params={filter} />
          )}
          {paged === undefined ? null : (
            <Pager
              page={paged.place}
              noun="trial"
              label="Pages of the queue"
              hrefOf={(to) => queuePageHref(queueId, filter, { page: to })}
            />
          )}
        </div>
        <QueueSide page={page} />
      </div>
    </PageFrame>
  );
}
