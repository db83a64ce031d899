import type { Metadata } from "next";

import {
  Answer,
  Differences,
  SharedRollouts,
  TooManyGroups,
  UnknownGroups,
} from "@/components/compare/answer";
import { ConditionsSection, countDifferences } from "@/components/compare/conditions-section";
import { CurvesSection } from "@/components/compare/curves-section";
import { GroupChips, GroupPicker } from "@/components/compare/group-picker";
import { MatrixSection } from "@/components/compare/matrix-section";
import { RobustnessSection } from "@/components/compare/robustness-section";
import { SuggestedSets } from "@/components/compare/run-sets";
import { SpendingSection } from "@/components/compare/spending-section";
import { PageFrame } from "@/components/shell/page-frame";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { PageTitle } from "@/components/ui/page-title";
import { Tabs } from "@/components/ui/tabs";
import { nameSome } from "@/lib/core/format/words";
import type { SearchValues } from "@/lib/pages/address/address";
import {
  compareAddress,
  compareParamsHref,
  type CompareParams,
  countNamedGroups,
  parseCompareParams,
} from "@/lib/pages/compare/address";
import { type Comparison, getCompareChoice, getComparePage } from "@/lib/pages/compare/page";
import { getComparePicker } from "@/lib/pages/compare/picker";
import { getSpending } from "@/lib/pages/compare/spending";
import { getIdentityOf, getStore } from "@/lib/pages/shell/catalog";
import { getGroupCorrections } from "@/lib/pages/verifier/groups";

import "@/components/compare/compare.css";

export async function generateMetadata({ searchParams }: PageProps<"/compare">): Promise<Metadata> {
  const { chosen } = await getCompareChoice(parseCompareParams(await searchParams));
  return {
    title: chosen.length < 2 ? "Compare" : `${nameSome(chosen)} · Compare`,
  };
}

export default async function CompareRoute({ searchParams }: PageProps<"/compare">) {
  const skeleton = (
    <PageFrame crumbs={[{ label: "Compare" }]}>
      <PageTitle title="Compare" summary="Reading the groups and resampling their tasks" />
    </PageFrame>
  );
  return <DelayedSuspense fallback={skeleton}>{drawPage(await searchParams)}</DelayedSuspense>;
}

async function drawPage(search: SearchValues) {
  const asked = parseCompareParams(search);
  const unknownValues = compareAddress.listUnknown(search);
  const { chosen, unknown, suggested, comparison, shared } = asked.picking
    ? { ...(await getCompareChoice(asked)), comparison: null, shared: [] }
    : await getComparePage(asked);
  const params = { ...asked, refs: chosen.flatMap(({ refs }) => refs) };
  if (comparison === null) {
    return (
      <PageFrame crumbs={[{ label: "Compare" }]} unknown={unknownValues}>
        <PageTitle
          title="Compare"
          summary="Choose groups from any jobs: one agent, model and dataset of a job each. The first group is the baseline."
        />
        <TooManyGroups nNamed={countNamedGroups(search)} />
        <UnknownGroups refs={unknown} />
        <GroupChips chosen={chosen} params={params} />
        <SuggestedSets chosen={chosen} suggested={suggested} params={params} />
        <Picker params={params} />
      </PageFrame>
    );
  }
  for (const name of comparison.unknown) params[name] = null;
  return (
    <PageFrame
      crumbs={[{ label: "Compare", href: "/compare" }, { label: nameSome(comparison.groups) }]}
      unknown={[...unknownValues, ...comparison.unknown]}
    >
      <Answer comparison={comparison} params={params} />
      <TooManyGroups nNamed={countNamedGroups(search)} />
      <UnknownGroups refs={unknown} />
      <SharedRollouts shared={shared} />
      <Differences comparison={comparison} />
      <SuggestedSets chosen={chosen} suggested={suggested} params={params} />
      <Tabs
        label="Comparison"
        current={params.tab}
        tabs={listTabs(comparison, params).map((tab) => ({
          ...tab,
          href: compareParamsHref(params, { tab: tab.id }),
        }))}
      />
      <Panel comparison={comparison} params={params} />
    </PageFrame>
  );
}

/** A tab without data is left out, unless the URL opens it. */
function listTabs(comparison: Comparison, { tab }: CompareParams) {
  const trials = comparison.groups.flatMap((group) => group.trials);
  const isSpending = trials.some(
    ({ tokens, durationMs, nTokens }) => (tokens.costUsd ?? durationMs ?? nTokens) !== null,
  );
  const tabs = [
    { id: "tasks", label: "Tasks", count: comparison.nUnion },
    { id: "curves", label: "Curves", isEmpty: comparison.ks.length < 2 },
    { id: "cost", label: "Cost", isEmpty: !isSpending },
    { id: "robustness", label: "Robustness" },
    { id: "conditions", label: "Conditions", count: countDifferences(comparison) || null },
  ] as const;
  return tabs.filter((one) => one.id === tab || !("isEmpty" in one && one.isEmpty));
}

/** Only the open panel is computed. */
async function Panel({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  switch (params.tab) {
    case "tasks":
      return <MatrixSection comparison={comparison} params={params} />;
    case "curves":
      return <CurvesSection comparison={comparison} params={params} />;
    case "cost":
      return <SpendingSection spending={getSpending(comparison, params)} params={params} />;
    case "robustness": {
      const corrections = await getGroupCorrections(
        await getStore(),
        // Labels of a rollout that two runs grade would count twice.
        comparison.groups.map(({ runs, contents }) =>
          contents.some(({ nKnown }) => nKnown > 0) ? null : runs,
        ),
      );
      return <RobustnessSection comparison={comparison} corrections={corrections} params={params} />;
    }
    case "conditions":
      return <ConditionsSection comparison={comparison} params={params} />;
  }
}

async function Picker({ params }: { params: CompareParams }) {
  const picker = await getComparePicker(await getStore(), params, await getIdentityOf());
  return <GroupPicker picker={picker} params={params} />;
}
