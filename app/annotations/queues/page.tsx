import type { Metadata } from "next";

import { NoQueues, QueuesTable, UnreadableQueues } from "@/components/queues/queue-tables";
import { ForAction } from "@/components/shell/account-context";
import { REVIEW } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { formatPlural } from "@/lib/core/format/number";
import { getRecordedTotals } from "@/lib/pages/annotations/recorded";
import { newQueueHref } from "@/lib/pages/annotations/review-address";
import { queuesAddress, queuesHref } from "@/lib/pages/queues/address";
import { getQueuesPage } from "@/lib/pages/queues/queues";

import { ReviewPage } from "../review-page";

export const metadata: Metadata = { title: "Queues" };

export default async function QueuesRoute({ searchParams }: PageProps<"/annotations/queues">) {
  const search = await searchParams;
  const page = await getQueuesPage(queuesAddress.read(search).page);
  return (
    <ReviewPage
      current="queues"
      totals={await getRecordedTotals()}
      label={REVIEW.label}
      counts={{ nQueues: page.problem === null ? page.nMatching : null }}
      unknown={queuesAddress.listUnknown(search)}
      summary={`${formatPlural(page.nMatching, "queue")} of trials to review.`}
      actions={
        <ForAction action="makeQueueAction">
          <ButtonLink href={newQueueHref({})}>New queue</ButtonLink>
        </ForAction>
      }
    >
      {page.problem === null ? null : (
        <Notice title="The queues cannot be read" tone="error">
          {page.problem}
        </Notice>
      )}
      <UnreadableQueues queues={page.unreadable} />
      {page.rows.length === 0 ? (
        page.problem === null && page.unreadable.length === 0 && <NoQueues />
      ) : (
        <QueuesTable rows={page.rows} />
      )}
      <Pager page={page} noun="queue" label="Pages of queues" hrefOf={(to) => queuesHref(to)} />
    </ReviewPage>
  );
}
