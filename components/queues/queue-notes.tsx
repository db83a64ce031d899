import { Notice } from "@/components/ui/notice";
import { formatPlural } from "@/lib/core/format/number";
import type { QueuePage } from "@/lib/pages/queues/queue";

export function QueueNotes({ page }: { page: QueuePage }) {
  const { queue, counts, isReviewer, reviewer } = page;
  return (
    <>
      {isReviewer || reviewer.reviewerKey === "" ? null : (
        <p className="caption">
          This queue is for {queue.settings.reviewers.join(", ")}. You are viewing as {reviewer.reviewerId}.
        </p>
      )}
      {page.problem === null ? null : (
        <Notice title="Trials of this queue cannot be read" tone="error">
          {page.problem}
        </Notice>
      )}
      {counts.nLost === 0 ? null : (
        <p className="caption" role="status">
          {formatPlural(counts.nLost, "trial is", "trials are")} not in any open folder. Their judgments are
          kept.
        </p>
      )}
    </>
  );
}
