import type { Metadata } from "next";

import { AnnotationsActions } from "@/components/annotations/annotations-actions";
import {
  AnnotationsFilters,
  NoAnnotationMatches,
  AnnotationsTabs,
  NoAnnotations,
} from "@/components/annotations/annotations-filters";
import { AnnotationsTable } from "@/components/annotations/annotations-table";
import { UnreadableNotice } from "@/components/annotations/unreadable-store";
import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { PageTitle } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { formatPlural } from "@/lib/core/format/number";
import { annotationsAddress, annotationsHref } from "@/lib/pages/annotations/address";
import { type AnnotationsPage, getAnnotationsPage } from "@/lib/pages/annotations/page";
import { getRecordedTotals } from "@/lib/pages/annotations/recorded";
import { countQueues } from "@/lib/pages/queues/queues";

export const metadata: Metadata = { title: "Judgments" };

export default async function AnnotationsRoute({ searchParams }: PageProps<"/annotations">) {
  const search = await searchParams;
  const params = annotationsAddress.read(search);
  const [page, recorded, nQueues] = await Promise.all([
    getAnnotationsPage(params, params.open),
    getRecordedTotals(),
    countQueues(),
  ]);
  return (
    <PageFrame crumbs={[{ label: REVIEW.label }]} unknown={annotationsAddress.listUnknown(search)}>
      <PageTitle
        title={REVIEW.label}
        tabs={
          <AnnotationsTabs
            current="saved"
            totals={recorded}
            nSaved={page.problem === null ? page.nAnnotations : null}
            nQueues={nQueues}
          />
        }
        summary={describePage(page)}
        actions={
          <AnnotationsActions
            params={params}
            nMatching={page.place.nMatching}
            nAnnotations={page.nAnnotations}
          />
        }
      />
      {page.problem === null ? null : (
        <UnreadableNotice code={page.isDamaged ? "store_corrupt" : ""} problem={page.problem} />
      )}
      {page.facets.reviewers.length + page.facets.standings.length === 0 ? (
        page.problem === null && <NoAnnotations />
      ) : (
        <>
          <AnnotationsFilters page={page} params={params} />
          {page.rows.length === 0 ? (
            <NoAnnotationMatches
              params={params}
              count={async (change) =>
                (await getAnnotationsPage({ ...params, ...change }, "")).place.nMatching
              }
            />
          ) : (
            <AnnotationsTable rows={page.rows} opened={page.opened} params={params} />
          )}
          <Pager
            page={page.place}
            noun="judgment"
            label="Pages of the list"
            hrefOf={(to) => annotationsHref(params, { page: to })}
          />
          <p className="caption table-note">
            Each reviewer’s last judgment of each trial. Judgments never change a reward. “Disagrees” compares
            the judgment, or the decision on a conflict, with the trial’s current outcome.
          </p>
        </>
      )}
    </PageFrame>
  );
}

function describePage(page: AnnotationsPage): string {
  if (page.nAnnotations === 0) return "Reviewers’ judgments, compared with the verifier’s.";
  const trials = `${formatPlural(page.nAnnotations, "judgment")} of ${formatPlural(page.nTrials, "trial")} by ${formatPlural(page.nReviewers, "reviewer")}`;
  if (page.nDisagreeing === 0) return `${trials}. All agree with the verifier.`;
  return `${trials}. ${formatPlural(page.nDisagreeing, "disagrees", "disagree")} with the verifier.`;
}
