import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { NextButton } from "@/components/verifier/next-button";
import {
  PlanSection,
  RatesTable,
  ScoreTable,
  VerifierFilters,
  VerifierMethods,
  NoReview,
  VerdictSection,
} from "@/components/verifier/verifier-parts";
import { getRecordedTotals } from "@/lib/pages/annotations/recorded";
import { conflictsHref, queueHref, verifierAddress } from "@/lib/pages/annotations/review-address";
import { getVerifierPageOrNull } from "@/lib/pages/verifier/page";
import { prepareVerifierPage } from "@/lib/pages/verifier/view";

import { ReviewPage } from "../review-page";

export const metadata: Metadata = { title: "Verifier accuracy" };

export default async function VerifierRoute({ searchParams }: PageProps<"/annotations/verifier">) {
  const search = await searchParams;
  const params = verifierAddress.read(search);
  const page = await getVerifierPageOrNull(params);
  if (page === null) notFound();
  const { view, summary, leftOut, problem, byHand, nextLabel, conflictsLabel } = prepareVerifierPage(page);
  return (
    <ReviewPage
      current="verifier"
      totals={await getRecordedTotals()}
      label="Verifier accuracy"
      unknown={verifierAddress.listUnknown(search)}
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
    >
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
          <PlanSection {...view} />
          <RatesTable rates={view.rates} params={params} />
          <VerifierMethods />
        </>
      )}
    </ReviewPage>
  );
}
