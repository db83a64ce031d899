import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { drawUnlessUnreadable } from "@/components/annotations/annotations-page";
import {
  AgreementMethods,
  AgreementStrip,
  CategoryAgreement,
  Conflicts,
  ConflictActions,
  describeConflicts,
} from "@/components/conflicts/conflicts";
import { REVIEW } from "@/components/shell/places";
import { NotFoundError } from "@/lib/core/domain/app-error";
import { getRecordedTotals } from "@/lib/pages/annotations/recorded";
import { conflictsAddress, queueHref } from "@/lib/pages/annotations/review-address";
import { getConflictsPage } from "@/lib/pages/conflicts/page";

import { ReviewPage } from "../review-page";

export const metadata: Metadata = { title: "Conflicts" };

export default function ConflictsRoute(props: PageProps<"/annotations/conflicts">) {
  return drawUnlessUnreadable("Conflicts", () => drawPage(props));
}

async function drawPage({ searchParams }: PageProps<"/annotations/conflicts">) {
  const search = await searchParams;
  const page = await getConflictsPage(conflictsAddress.read(search)).catch(failNotFound);
  const { scope, name, agreement } = page;
  const crumbs = [
    REVIEW,
    ...(scope.queue === null || name === null ? [] : [{ label: name, href: queueHref(scope.queue) }]),
    { label: "Conflicts" },
  ];
  return (
    <ReviewPage
      current="conflicts"
      totals={await getRecordedTotals()}
      label="Conflicts"
      crumbs={crumbs}
      unknown={conflictsAddress.listUnknown(search)}
      summary={`${name === null ? "" : `${name}: `}${describeConflicts(page)}`}
      actions={<ConflictActions page={page} />}
    >
      {page.nTwice === 0 ? null : (
        <>
          <AgreementStrip agreement={agreement} />
          <CategoryAgreement agreement={agreement} />
          <AgreementMethods isOfQueue={page.isOfQueue} nReviewers={agreement.nReviewers} />
        </>
      )}
      <Conflicts page={page} />
    </ReviewPage>
  );
}

function failNotFound(error: unknown): never {
  if (error instanceof NotFoundError) notFound();
  throw error;
}
