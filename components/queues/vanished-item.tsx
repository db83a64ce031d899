import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { formatCount } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { QUEUES_HREF, queueHref, queueItemHref } from "@/lib/pages/annotations/review-address";
import type { QueueItemView } from "@/lib/pages/queues/item";

export function VanishedItem({ item }: { item: QueueItemView }) {
  const { head, subject, position, nItems, next, previous, nextOpen } = item;
  const { queueId, settings } = head;
  const onward = nextOpen ?? next ?? previous;
  return (
    <PageFrame
      narrow
      crumbs={[
        REVIEW,
        { label: "Queues", href: QUEUES_HREF },
        { label: settings.name, href: queueHref(queueId) },
        { label: formatTask(subject) },
      ]}
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
