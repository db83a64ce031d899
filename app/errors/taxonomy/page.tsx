import type { Metadata } from "next";

import { ExportMenu } from "@/components/annotations/annotations-page";
import { PlaneFigure } from "@/components/charts/plane-figure";
import { CategoryTable } from "@/components/codebook/codebook-tabs";
import { describeUnread } from "@/components/errors/rates";
import { ForAction } from "@/components/shell/account-context";
import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import {
  CategoriesTable,
  SuggestersTable,
  TaxonomyFilters,
  TogetherTable,
} from "@/components/taxonomy/taxonomy-tables";
import { ButtonLink } from "@/components/ui/button";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { PageTitle, Section } from "@/components/ui/page-title";
import { StoreError } from "@/lib/core/domain/app-error";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { codebookAddress, codebookHref } from "@/lib/pages/codebook/address";
import { getCategoriesPage, getCodingPage } from "@/lib/pages/codebook/page";
import { getStore } from "@/lib/pages/shell/catalog";
import { taxonomyAddress } from "@/lib/pages/taxonomy/address";
import { getTaxonomyPage, type TaxonomyPage, FEWEST_ANSWERS } from "@/lib/pages/taxonomy/page";

import "@/components/codebook/codebook.css";
import "@/components/errors/errors.css";

export const metadata: Metadata = { title: "Taxonomy" };

export default async function TaxonomyRoute({ searchParams }: PageProps<"/errors/taxonomy">) {
  const search = await searchParams;
  const params = taxonomyAddress.read(search);
  const page = await getTaxonomyPage(params);
  return (
    <PageFrame crumbs={[REVIEW, { label: "Taxonomy" }]} unknown={taxonomyAddress.listUnknown(search)}>
      <PageTitle
        title="Taxonomy"
        summary={describePage(page)}
        actions={
          <>
            <ForAction action="applyImport">
              <ButtonLink href="/annotations/import">Import tags</ButtonLink>
            </ForAction>
            <ExportMenu />
          </>
        }
      />
      <TaxonomyFilters page={page} params={params} />
      <SuggestersTable page={page} fewest={FEWEST_ANSWERS} />
      <CategoriesTable page={page} params={params} />
      <TogetherTable page={page} />
      <DelayedSuspense fallback={<Section title="Codebook">Counting the categories …</Section>}>
        {drawCodebook()}
      </DelayedSuspense>
      <TaxonomyMethods />
    </PageFrame>
  );
}

function describePage(page: TaxonomyPage): string {
  const { scope, nReviewed, nUnclassified, nUnread, problem } = page;
  return [
    `${formatCount(scope.nFailed)} of ${formatPlural(scope.nFinished, "finished trial")} did not pass; ${formatCount(nReviewed)} reviewed (oracle and nop excluded).`,
    nUnclassified === 0
      ? ""
      : `${formatPlural(nUnclassified, "trial is", "trials are")} still being classified.`,
    describeUnread(nUnread),
    problem === null ? "" : `Without reviewers’ categories: ${problem}`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

async function drawCodebook() {
  try {
    const params = codebookAddress.read({});
    const [{ list }, { saturation }] = await Promise.all([
      getCategoriesPage(params),
      getCodingPage(await getStore(), params),
    ]);
    return (
      <Section title="Codebook" note="Reviewers’ categories over all jobs and agents">
        <CategoryTable rows={list.rows} openId={null} params={params} />
        {saturation.kind === "unavailable" ? (
          <p className="muted">{saturation.reason}</p>
        ) : (
          <PlaneFigure chart={saturation.plane} height={120} />
        )}
        <p className="caption">
          <Link href={codebookHref({})}>Open the codebook</Link>
        </p>
      </Section>
    );
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return (
      <Section title="Codebook">
        <p className="muted">{error.message}</p>
      </Section>
    );
  }
}

function TaxonomyMethods() {
  return (
    <Methods>
      <p>
        Statements of rules, scanners, judges, verifiers and other tools are suggestions until a reviewer
        answers them. Each reviewer’s latest answer counts, for its class or version. If reviewers differ, the
        trial is disputed and in no rate. “% right” is the share of Right among trials whose reviewers agree,
        with Wilson’s 95 % interval; with fewer than {FEWEST_ANSWERS} such trials, no rate is shown. For a
        rule, it is the precision. The interval treats the answered trials as a random sample, but reviewers
        may have chosen them.
      </p>
      <p>
        Each rate is out of the trials that its source read. Step scanners need a trajectory; for imported
        tags, the trials read are unknown. For reviewers’ categories, “% of reviewed” is not weighted. The
        other two are shares of trials with a verdict, from randomly sampled queues over an unchanged list
        that includes all of these trials. Each reviewed trial is weighted by the inverse of its sampling rate
        within agent and verdict; 95 % limits by linearisation in log odds. Without such a queue, they are not
        shown. Trials of oracle and nop count only under “How often machines are right” and in the codebook.
      </p>
      <p>
        Occurring together: Fisher’s exact test, Holm-adjusted over all pairs, at least three trials. Trials
        of one task resemble each other, so treat it as a hint.
      </p>
    </Methods>
  );
}
