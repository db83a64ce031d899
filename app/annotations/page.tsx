import type { Metadata } from "next";

import {
  AnnotationsActions,
  AnnotationsFilters,
  NoAnnotationMatches,
  NoAnnotations,
  UnreadableNotice,
  AnnotationsTable,
} from "@/components/annotations/annotations-page";
import { Pager } from "@/components/ui/pager";
import { formatPlural } from "@/lib/core/format/number";
import { annotationsAddress, annotationsHref } from "@/lib/pages/annotations/address";
import { type AnnotationsPage, getAnnotationsPage } from "@/lib/pages/annotations/page";
import { getRecordedTotals } from "@/lib/pages/annotations/recorded";
import { countQueues } from "@/lib/pages/queues/queues";

import { ReviewPage } from "./review-page";

export const metadata: Metadata = { title: "Judgments" };

export default async function AnnotationsRoute({ searchParams }: PageProps<"/annotations">) {
  const search = await searchParams;
  const params = annotationsAddress.read(search);
  const [page, nQueues] = await Promise.all([getAnnotationsPage(params, params.open), countQueues()]);
  return (
    <ReviewPage
      current="saved"
      totals={await getRecordedTotals()}
      label="Judgments"
      counts={{ nSaved: page.problem === null ? page.nAnnotations : null, nQueues }}
      unknown={annotationsAddress.listUnknown(search)}
      summary={describePage(page)}
      actions={
        <AnnotationsActions
          params={params}
          nMatching={page.place.nMatching}
          nAnnotations={page.nAnnotations}
        />
      }
    >
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
    </ReviewPage>
  );
}

function describePage(page: AnnotationsPage): string {
  if (page.nAnnotations === 0) return "Reviewers’ judgments, compared with the verifier’s.";
  const trials = `${formatPlural(page.nAnnotations, "judgment")} of ${formatPlural(page.nTrials, "trial")} by ${formatPlural(page.nReviewers, "reviewer")}`;
  if (page.nDisagreeing === 0) return `${trials}. All agree with the verifier.`;
  return `${trials}. ${formatPlural(page.nDisagreeing, "disagrees", "disagree")} with the verifier.`;
}
