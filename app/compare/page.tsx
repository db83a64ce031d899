import type { Metadata } from "next";

import { CertaintySection } from "@/components/compare/certainty-section";
import { ChangesSection } from "@/components/compare/changes-section";
import {
  MixedSettings,
  SharedRollouts,
  TooManyGroups,
  UnknownGroups,
} from "@/components/compare/compare-notices";
import { CompareSkeleton } from "@/components/compare/compare-skeleton";
import { CompareTitle } from "@/components/compare/compare-title";
import { CurvesSection } from "@/components/compare/curves-section";
import { ForestSection } from "@/components/compare/forest-section";
import { GroupChips } from "@/components/compare/group-chips";
import { GroupPicker } from "@/components/compare/group-picker";
import { MatrixSection } from "@/components/compare/matrix-section";
import { RunSets, SuggestedSets } from "@/components/compare/run-sets";
import { SensitivitySection } from "@/components/compare/sensitivity-section";
import { SettingsBar } from "@/components/compare/settings-bar";
import { SpendingSection } from "@/components/compare/spending-section";
import { Verdict } from "@/components/compare/verdict";
import { PageFrame } from "@/components/shell/page-frame";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { PageTitle } from "@/components/ui/page-title";
import { nameSome } from "@/lib/core/format/words";
import type { SearchValues } from "@/lib/pages/address/address";
import {
  compareAddress,
  type CompareParams,
  countNamedGroups,
  parseCompareParams,
} from "@/lib/pages/compare/address";
import { getCompareChoice, getComparePage } from "@/lib/pages/compare/page";
import { getComparePicker } from "@/lib/pages/compare/picker";
import { getSpending } from "@/lib/pages/compare/spending";
import { getIdentityOf, getStore } from "@/lib/pages/shell/catalog";
import { getGroupCorrections } from "@/lib/pages/verifier/groups";

export async function generateMetadata({ searchParams }: PageProps<"/compare">): Promise<Metadata> {
  const { chosen } = await getCompareChoice(parseCompareParams(await searchParams));
  return {
    title: chosen.length < 2 ? "Compare" : `${nameSome(chosen)} · Compare`,
  };
}

export default async function CompareRoute({ searchParams }: PageProps<"/compare">) {
  return <DelayedSuspense fallback={<CompareSkeleton />}>{drawPage(await searchParams)}</DelayedSuspense>;
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
  const corrections = await getGroupCorrections(
    await getStore(),
    // Labels of a rollout that two runs grade would count twice.
    comparison.groups.map(({ runs, contents }) => (contents.some(({ nKnown }) => nKnown > 0) ? null : runs)),
  );
  return (
    <PageFrame
      crumbs={[{ label: "Compare", href: "/compare" }, { label: nameSome(comparison.groups) }]}
      unknown={[...unknownValues, ...comparison.unknown]}
    >
      <CompareTitle comparison={comparison} params={params} />
      <TooManyGroups nNamed={countNamedGroups(search)} />
      <UnknownGroups refs={unknown} />
      <SharedRollouts shared={shared} />
      <MixedSettings groups={comparison.groups} params={params} />
      <SuggestedSets chosen={chosen} suggested={suggested} params={params} />
      <RunSets groups={comparison.groups} params={params} />
      <SettingsBar comparison={comparison} params={params} />
      {comparison.lead === null ? null : <Verdict pair={comparison.lead} comparison={comparison} />}
      {comparison.pairs.length === 1 ? null : <ForestSection comparison={comparison} />}
      <CurvesSection comparison={comparison} params={params} />
      <SpendingSection spending={getSpending(comparison, params)} params={params} />
      <CertaintySection comparison={comparison} corrections={corrections} />
      <SensitivitySection comparison={comparison} params={params} />
      <ChangesSection comparison={comparison} params={params} />
      <MatrixSection comparison={comparison} params={params} />
    </PageFrame>
  );
}

async function Picker({ params }: { params: CompareParams }) {
  const picker = await getComparePicker(await getStore(), params, await getIdentityOf());
  return <GroupPicker picker={picker} params={params} />;
}
