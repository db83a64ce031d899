import type { ComponentProps, ReactNode } from "react";

import { AnnotationsTabs } from "@/components/annotations/annotations-page";
import { type Crumb, PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { PageTitle } from "@/components/ui/page-title";

type TabsProps = ComponentProps<typeof AnnotationsTabs>;

/** The frame of each part of the review. */
export function ReviewPage({
  current,
  totals,
  counts,
  label,
  crumbs = current === "queues" ? [{ label }] : [REVIEW, { label }],
  unknown,
  summary,
  actions,
  children,
}: Pick<TabsProps, "current" | "totals"> &
  Pick<ComponentProps<typeof PageTitle>, "summary" | "actions"> & {
    counts?: Pick<TabsProps, "nSaved" | "nQueues">;
    label: string;
    crumbs?: readonly Crumb[];
    unknown: readonly string[];
    children: ReactNode;
  }) {
  return (
    <PageFrame crumbs={crumbs} unknown={unknown}>
      <PageTitle
        title={REVIEW.label}
        tabs={<AnnotationsTabs current={current} totals={totals} {...counts} />}
        summary={summary}
        actions={actions}
      />
      {children}
    </PageFrame>
  );
}
