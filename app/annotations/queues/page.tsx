import type { Metadata } from "next";

import { AnnotationsTabs } from "@/components/annotations/annotations-filters";
import { NoQueues, QueuesTable, UnreadableQueues } from "@/components/queues/queues-table";
import { ForAction } from "@/components/shell/account-context";
import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { formatPlural } from "@/lib/core/format/number";
import { getRecordedTotals } from "@/lib/pages/annotations/recorded";
import { newQueueHref } from "@/lib/pages/annotations/review-address";
import { queuesAddress, queuesHref } from "@/lib/pages/queues/address";
import { getQueuesPage } from "@/lib/pages/queues/queues";

export const metadata: Metadata = { title: "Queues" };

export default async function QueuesRoute({ searchParams }: PageProps<"/annotations/queues">) {
  const search = await searchParams;
  const [page, recorded] = await Promise.all([
    getQueuesPage(queuesAddress.read(search).page),
    getRecordedTotals(),
  ]);
  return (
    <PageFrame crumbs={[REVIEW, { label: "Queues" }]} unknown={queuesAddress.listUnknown(search)}>
      <PageTitle
        title={REVIEW.label}
        tabs={
          <AnnotationsTabs
            current="queues"
            totals={recorded}
            nQueues={page.problem === null ? page.nMatching : null}
          />
        }
        summary={`${formatPlural(page.nMatching, "queue")} of trials to review.`}
        actions={
          <ForAction action="makeQueueAction">
            <ButtonLink href={newQueueHref({})}>New queue</ButtonLink>
          </ForAction>
        }
      />
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
    </PageFrame>
  );
}
