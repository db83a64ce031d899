import type { Metadata } from "next";

import { type Crumb, PageFrame } from "@/components/shell/page-frame";
import { Dismissed } from "@/components/triage/dismissed";
import { FindingsTable } from "@/components/triage/findings-table";
import { HeatMapTable } from "@/components/triage/heat-map";
import { NoFailures } from "@/components/triage/no-failures";
import { OutcomeRows, OutcomesTable } from "@/components/triage/outcomes-table";
import { OwnerBar } from "@/components/triage/owner-bar";
import { TriageActions } from "@/components/triage/triage-actions";
import { TriageFilters } from "@/components/triage/triage-filters";
import { TriageVerdict } from "@/components/triage/verdict";
import { PageTitle, Section } from "@/components/ui/page-title";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { triageAddress, type TriageParams } from "@/lib/pages/triage/address";
import { countFailures, getTriagePage, type TriagePage } from "@/lib/pages/triage/page";

import "@/components/triage/triage.css";

export const metadata: Metadata = { title: "Triage" };

export default async function TriageRoute({ searchParams }: PageProps<"/errors">) {
  const search = await searchParams;
  const params = triageAddress.read(search);
  const page = await getTriagePage(params);
  const isEmpty = page.scope.failures.length === 0;
  return (
    <PageFrame
      crumbs={listCrumbs(page, params)}
      unknown={triageAddress.listUnknown(search)}
      isEmpty={page.scope.nTrials + page.scope.all.length === 0}
    >
      <PageTitle
        title="Triage"
        summary={describePage(page)}
        actions={<TriageActions page={page} params={params} />}
      />
      <TriageFilters page={page} params={params} />
      {isEmpty ? (
        <NoFailures page={page} params={params} count={(change) => countFailures({ ...params, ...change })} />
      ) : (
        <>
          <TriageVerdict page={page} params={params} />
          <OwnerBar page={page} params={params} />
          <Section
            title={page.scope.datasets.size > 1 ? "Findings" : "What a fix would win"}
            note={page.scope.datasets.size > 1 ? "most trials first" : "most points first"}
          >
            <FindingsTable page={page} params={params} />
          </Section>
          {page.dismissed.length === 0 ? null : (
            <Section title="Dismissed" note="still in every count">
              <Dismissed dismissed={page.dismissed} />
            </Section>
          )}
          <Section title="Outcomes" actions={<OutcomeRows params={params} />}>
            <OutcomesTable page={page} params={params} />
          </Section>
          <Section title="Classes by agent and task">
            <HeatMapTable page={page} params={params} />
          </Section>
        </>
      )}
    </PageFrame>
  );
}

function listCrumbs({ scope }: TriagePage, params: TriageParams): readonly Crumb[] {
  const only = params.jobs.length === 1 ? scope.jobs[0] : undefined;
  return only === undefined
    ? [{ label: "Triage" }]
    : [{ label: "Triage", href: "/errors" }, { label: only.name }];
}

function describePage({ scope }: TriagePage): string {
  const { all, nTrials, jobs, agentModels, nTasks, nReference } = scope;
  const where = [
    formatPlural(jobs.length, "job"),
    formatPlural(agentModels.length, "agent"),
    formatPlural(nTasks, "task"),
  ].join(", ");
  const nFinished = all.filter(({ isFinished }) => isFinished).length;
  const failed = `${formatPlural(nFinished, "trial")} did not pass, of ${formatPlural(nTrials, "finished trial")}: ${where}. Each is counted once.`;
  const nNotEnded = all.length - nFinished;
  const notEnded = nNotEnded === 0 ? "" : ` ${formatCount(nNotEnded)} more never ended, and count below too.`;
  const reference =
    nReference === 0
      ? ""
      : ` Trials of oracle and nop are left out, ${formatCount(nReference)} of them failed.`;
  return `${failed}${notEnded}${reference}`;
}
