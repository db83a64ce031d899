import type { Metadata } from "next";

import { NewQueueForm } from "@/components/queues/new-queue-form";
import { ForAction } from "@/components/shell/account-context";
import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { newQueueAddress } from "@/lib/pages/annotations/review-address";
import { getNewQueuePage } from "@/lib/pages/queues/new-queue";

import "@/components/queues/queues.css";

export const metadata: Metadata = { title: "New queue" };

export default async function NewQueueRoute({ searchParams }: PageProps<"/annotations/queues/new">) {
  const search = await searchParams;
  const page = await getNewQueuePage(newQueueAddress.read(search));
  return (
    <PageFrame crumbs={[REVIEW, { label: "New queue" }]} unknown={newQueueAddress.listUnknown(search)}>
      <PageTitle
        title="New queue"
        summary={
          page.words === null ? undefined : `${page.words}: a fixed set of trials to review one by one.`
        }
      />
      {page.problem === null ? (
        <ForAction action="makeQueueAction" subject="Making a queue">
          <NewQueueForm page={page} />
        </ForAction>
      ) : (
        <Notice
          title="No trials for a queue"
          tone="error"
          actions={<ButtonLink href={"/trials"}>Open all trials</ButtonLink>}
        >
          {page.problem}
        </Notice>
      )}
    </PageFrame>
  );
}
