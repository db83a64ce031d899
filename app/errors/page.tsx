import type { Metadata } from "next";

import { type Crumb, PageFrame } from "@/components/shell/page-frame";
import { FAILURES } from "@/components/shell/places";
import { BenchmarkMemory } from "@/components/triage/cause-list";
import { Causes } from "@/components/triage/causes";
import {
  BenchmarkMenu,
  FailuresHead,
  NoFailures,
  TriageFilters,
  getHeatTab,
  HeatView,
} from "@/components/triage/failures-head";
import { getStore } from "@/lib/pages/shell/catalog";
import { triageAddress, type TriageParams } from "@/lib/pages/triage/address";
import { getRuleAnswers } from "@/lib/pages/triage/answers";
import { makeHeatMap } from "@/lib/pages/triage/heat";
import {
  chooseBenchmark,
  countFailures,
  getTriagePage,
  readFindingDetail,
  type TriagePage,
} from "@/lib/pages/triage/page";

export const metadata: Metadata = { title: "Failures" };

export default async function FailuresRoute({ searchParams }: PageProps<"/errors">) {
  const search = await searchParams;
  const params = await chooseBenchmark(triageAddress.read(search));
  const page = await getTriagePage(params);
  const { scope, causes } = page;
  const [dataset] = params.datasets;
  const isEmpty = scope.failures.length === 0;
  return (
    <PageFrame
      crumbs={listCrumbs(page, params)}
      unknown={triageAddress.listUnknown(search)}
      isEmpty={scope.nTrials + scope.all.length === 0}
    >
      {dataset === undefined ? null : <BenchmarkMemory dataset={dataset} />}
      <FailuresHead
        tab={params.view === "causes" ? "causes" : getHeatTab(params.view)}
        params={{ ...params, open: null }}
        counts={{ causes: causes.length, agent: scope.agentModels.length, task: scope.nTasks }}
      >
        <TriageFilters page={page} params={params} />
        <BenchmarkMenu page={page} params={params} />
      </FailuresHead>
      {isEmpty ? (
        <NoFailures page={page} params={params} count={(change) => countFailures({ ...params, ...change })} />
      ) : params.view === "causes" ? (
        drawCauses(page, params)
      ) : (
        <HeatView page={page} params={params} heat={makeHeatMap(scope, params.view)} />
      )}
    </PageFrame>
  );
}

async function drawCauses(page: TriagePage, params: TriageParams) {
  const { causes, scope } = page;
  const store = await getStore();
  const open = causes.find(({ key }) => key === params.open) ?? causes[0];
  if (open === undefined) return null;
  const detail = await readFindingDetail(store, scope, open);
  const answers = await getRuleAnswers(store, open, detail.examples);
  return <Causes {...{ page, params, open, detail, answers }} />;
}

function listCrumbs({ scope }: TriagePage, params: TriageParams): readonly Crumb[] {
  const only = params.jobs.length === 1 ? scope.jobs[0] : undefined;
  return only === undefined ? [{ label: FAILURES.label }] : [FAILURES, { label: only.name }];
}
