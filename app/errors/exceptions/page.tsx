import type { Metadata } from "next";

import {
  AgentErrorsTable,
  ScoreEffectsTable,
  SuspectsTable,
  ErrorsFilters,
  ErrorsTable,
  NoErrors,
} from "@/components/errors/exceptions";
import { type Crumb, PageFrame } from "@/components/shell/page-frame";
import { FAILURES } from "@/components/shell/places";
import { FailuresAnswer, FailuresHead } from "@/components/triage/failures-head";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { Section } from "@/components/ui/page-title";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { errorsAddress, errorsHref, type ErrorsParams } from "@/lib/pages/errors/address";
import {
  getScoreEffects,
  groupErrorsByAgent,
  listCauses,
  getErrorDetail,
  getErrorsSuspects,
  type ErrorsPage,
  type ErrorsScope,
  getErrorsPage,
} from "@/lib/pages/errors/page";
import { getStore } from "@/lib/pages/shell/catalog";

import "@/components/errors/errors.css";

export const metadata: Metadata = { title: "Failures: exceptions" };

export default async function ErrorsRoute({ searchParams }: PageProps<"/errors/exceptions">) {
  const search = await searchParams;
  const params = errorsAddress.read(search);
  const [store, page] = await Promise.all([getStore(), getErrorsPage(params)]);
  const agents = groupErrorsByAgent(page.scope);
  const { open } = params;
  const detail =
    open !== null && page.rows.some(({ type }) => type === open)
      ? await getErrorDetail(store, page.scope, params, open)
      : null;
  return (
    <PageFrame crumbs={listCrumbs(page, params)} unknown={errorsAddress.listUnknown(search)}>
      <FailuresHead tab="exceptions" params={{ jobs: params.jobs, agents: params.agents }} />
      <ErrorsAnswer page={page} />
      <section className="section" aria-label="Exceptions">
        <ErrorsFilters page={page} params={params} />
        {page.rows.length === 0 ? (
          <NoErrors
            page={page}
            params={params}
            count={async (change) => (await getErrorsPage({ ...params, ...change })).rows.length}
          />
        ) : (
          <ErrorsTable page={page} detail={detail} params={params} />
        )}
      </section>
      <AgentErrorsTable agents={agents} causes={listCauses(agents)} params={params} />
      <DelayedSuspense fallback={null}>{drawSuspects(page.scope)}</DelayedSuspense>
      <Section title="Sensitivity of the score">
        <DelayedSuspense fallback={<p className="muted">Adding up the rewards …</p>}>
          {drawScoreEffects(params)}
        </DelayedSuspense>
      </Section>
    </PageFrame>
  );
}

function listCrumbs({ scope }: ErrorsPage, params: ErrorsParams): readonly Crumb[] {
  const only = params.jobs.length === 1 ? scope.jobs[0] : undefined;
  return only === undefined
    ? [FAILURES, { label: "Exceptions" }]
    : [FAILURES, { label: "Exceptions", href: errorsHref({}) }, { label: only.name }];
}

async function drawScoreEffects(params: ErrorsParams) {
  return <ScoreEffectsTable effects={await getScoreEffects(params)} />;
}

async function drawSuspects(scope: ErrorsScope) {
  return <SuspectsTable suspects={await getErrorsSuspects(await getStore(), scope)} />;
}

function ErrorsAnswer({ page: { scope, nErrors, nPassed } }: { page: ErrorsPage }) {
  const { jobs, nTrials, nReference, nElsewhere, nOtherJobs, nUnread } = scope;
  const where = jobs.length === 1 ? (jobs[0]?.name ?? "") : formatPlural(jobs.length, "job");
  const parts = [
    [nPassed, `${formatCount(nErrors - nPassed)} did not pass, ${formatCount(nPassed)} passed anyway.`],
    [nReference, `${formatPlural(nReference, "trial")} of oracle and nop included, which Causes excludes.`],
    [nOtherJobs, `${formatCount(nElsewhere)} more in ${formatPlural(nOtherJobs, "other job")}.`],
    [nUnread, `${formatPlural(nUnread, "job is", "jobs are")} not read yet and not counted.`],
  ] as const;
  return (
    <FailuresAnswer
      answer={`${formatCount(nErrors)} of ${formatPlural(nTrials, "finished trial")} in ${where} ended with an exception`}
    >
      {parts.flatMap(([n, words]) => (n === 0 ? [] : words)).join(" ")}
    </FailuresAnswer>
  );
}
