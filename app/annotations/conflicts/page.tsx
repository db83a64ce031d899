import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { AnnotationsTabs } from "@/components/annotations/annotations-filters";
import { drawUnlessUnreadable } from "@/components/annotations/unreadable-store";
import { AgreementMethods, AgreementStrip, CategoryAgreement } from "@/components/conflicts/agreement";
import { Conflicts } from "@/components/conflicts/conflicts";
import { ConflictActions, describeConflicts } from "@/components/conflicts/title";
import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { PageTitle } from "@/components/ui/page-title";
import { NotFoundError } from "@/lib/core/domain/app-error";
import { getRecordedTotals } from "@/lib/pages/annotations/recorded";
import { conflictsAddress, queueHref } from "@/lib/pages/annotations/review-address";
import { type ConflictsPage, getConflictsPage } from "@/lib/pages/conflicts/page";

export const metadata: Metadata = { title: "Conflicts" };

export default function ConflictsRoute(props: PageProps<"/annotations/conflicts">) {
  return drawUnlessUnreadable("Conflicts", () => drawPage(props));
}

async function drawPage({ searchParams }: PageProps<"/annotations/conflicts">) {
  const search = await searchParams;
  const page = await readPage(search);
  if (page === null) notFound();
  const { scope, name, agreement } = page;
  const crumbs = [
    REVIEW,
    ...(scope.queue === null || name === null ? [] : [{ label: name, href: queueHref(scope.queue) }]),
    { label: "Conflicts" },
  ];
  return (
    <PageFrame crumbs={crumbs} unknown={conflictsAddress.listUnknown(search)}>
      <PageTitle
        title={REVIEW.label}
        tabs={<AnnotationsTabs current="conflicts" totals={await getRecordedTotals()} />}
        summary={`${name === null ? "" : `${name}: `}${describeConflicts(page)}`}
        actions={<ConflictActions page={page} />}
      />
      {page.nTwice === 0 ? null : (
        <>
          <AgreementStrip agreement={agreement} />
          <CategoryAgreement agreement={agreement} />
          <AgreementMethods isOfQueue={page.isOfQueue} nReviewers={agreement.nReviewers} />
        </>
      )}
      <Conflicts page={page} />
    </PageFrame>
  );
}

async function readPage(search: Parameters<typeof conflictsAddress.read>[0]): Promise<ConflictsPage | null> {
  try {
    return await getConflictsPage(conflictsAddress.read(search));
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
