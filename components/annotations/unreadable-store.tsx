import type { ReactNode } from "react";

import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { StoreError } from "@/lib/core/domain/app-error";
import { QUEUES_HREF } from "@/lib/pages/annotations/review-address";

export async function drawUnlessUnreadable(
  title: string,
  draw: () => Promise<ReactNode>,
): Promise<ReactNode> {
  try {
    return await draw();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return (
      <PageFrame crumbs={[REVIEW, { label: title }]}>
        <PageTitle title={title} />
        <UnreadableNotice code={error.code} problem={error.message} />
      </PageFrame>
    );
  }
}

export function UnreadableNotice({ code, problem }: { code: string; problem: string }) {
  return (
    <Notice
      title={code === "queue_unreadable" ? "The queue cannot be read" : "The annotations cannot be read"}
      tone="error"
      actions={
        code === "store_corrupt" ? (
          <ButtonLink href={"/annotations/export?history=1"} download>
            Export what can still be read
          </ButtonLink>
        ) : code === "queue_unreadable" ? (
          <ButtonLink href={QUEUES_HREF}>All queues</ButtonLink>
        ) : undefined
      }
    >
      {problem}
    </Notice>
  );
}
