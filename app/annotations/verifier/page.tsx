import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { AnnotationsTabs } from "@/components/annotations/annotations-filters";
import { ForAction } from "@/components/shell/account-context";
import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { VerifierFilters } from "@/components/verifier/filters";
import { VerifierMethods } from "@/components/verifier/methods";
import { NextButton } from "@/components/verifier/next-button";
import { NoReview } from "@/components/verifier/no-review";
import { PlanSection } from "@/components/verifier/plan-section";
import { RatesTable } from "@/components/verifier/rates-table";
import { ScoreTable } from "@/components/verifier/score-table";
import { VerdictSection } from "@/components/verifier/verdict-section";
import { getRecordedTotals } from "@/lib/pages/annotations/recorded";
import { conflictsHref, queueHref, verifierAddress } from "@/lib/pages/annotations/review-address";
import { getVerifierPageOrNull } from "@/lib/pages/verifier/page";
import { prepareVerifierPage } from "@/lib/pages/verifier/view";

export const metadata: Metadata = { title: "Verifier accuracy" };

export default async function VerifierRoute({ searchParams }: PageProps<"/annotations/verifier">) {
  const search = await searchParams;
  const params = verifierAddress.read(search);
  const page = await getVerifierPageOrNull(params);
  if (page === null) notFound();
  const { view, summary, leftOut, problem, byHand, nextLabel, conflictsLabel } = prepareVerifierPage(page);
  return (
    <PageFrame
      crumbs={[REVIEW, { label: "Verifier accuracy" }]}
      unknown={verifierAddress.listUnknown(search)}
    >
      <PageTitle
        title={REVIEW.label}
        tabs={<AnnotationsTabs current="verifier" totals={await getRecordedTotals()} />}
        summary={summary}
        actions={
          <>
            {conflictsLabel === null ? null : (
              <ButtonLink href={conflictsHref({ queue: params.queue, jobs: params.jobs })}>
                {conflictsLabel}
              </ButtonLink>
            )}
            {nextLabel === null ? null : page.planned === null ? (
              <ForAction action="makeNextLabels">
                <NextButton queue={page.about?.queueId ?? null} label={nextLabel} />
              </ForAction>
            ) : (
              <ButtonLink look="main" href={queueHref(page.planned.id)} title={page.planned.name}>
                Open next-labels queue
              </ButtonLink>
            )}
          </>
        }
      />
      {page.failure === null ? null : (
        <Notice title="The annotations cannot be read" tone="error">
          {page.failure}
        </Notice>
      )}
      <VerifierFilters page={page} params={params} leftOut={leftOut} />
      {page.failure !== null ? null : view === null || page.review === null ? (
        <NoReview problem={problem} nJudged={page.nJudged} byHand={byHand} />
      ) : (
        <>
          <VerdictSection verdict={view.verdict} matrix={view.matrix} />
          <ScoreTable rows={view.scores} nTrials={page.review.nTrials} />
          <PlanSection
            strata={view.strata}
            chart={view.chart}
            nNext={view.nNext}
            openWords={view.openWords}
            note={view.planNote}
          />
          <RatesTable rates={view.rates} params={params} />
          <VerifierMethods />
        </>
      )}
    </PageFrame>
  );
}
