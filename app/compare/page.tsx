import type { Metadata } from "next";

import { CompareSkeleton } from "@/components/compare/compare-skeleton";
import { CertaintySection } from "@/components/compare/certainty-section";
import { CompareTitle } from "@/components/compare/compare-title";
import { CurvesSection } from "@/components/compare/curves-section";
import { GroupChips } from "@/components/compare/group-chips";
import { GroupPicker } from "@/components/compare/group-picker";
import { MatrixSection } from "@/components/compare/matrix-section";
import { PairsTable } from "@/components/compare/pairs-table";
import { SettingsBar } from "@/components/compare/settings-bar";
import {
  MixedSettings,
  SharedRollouts,
  TooManyGroups,
  UnknownGroups,
} from "@/components/compare/compare-notices";
import { Verdict } from "@/components/compare/verdict";
import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";
import { Soon } from "@/components/ui/soon";
import { getCompareChoice, getComparePage } from "@/lib/queries/compare/page";
import { getComparePicker } from "@/lib/queries/compare/picker";
import { getIdentityOf, getStore } from "@/lib/queries/shell/catalog";

import type { SearchValues } from "@/lib/addresses/address";
import {
  compareAddress,
  type CompareParams,
  countNamedGroups,
  parseCompareParams,
} from "@/lib/addresses/compare";

export async function generateMetadata({ searchParams }: PageProps<"/compare">): Promise<Metadata> {
  const { chosen } = await getCompareChoice(parseCompareParams(await searchParams).refs);
  return {
    title: chosen.length < 2 ? "Compare" : `${chosen.map(({ label }) => label).join(", ")} · Compare`,
  };
}

export default async function CompareRoute({ searchParams }: PageProps<"/compare">) {
  return <Soon fallback={<CompareSkeleton />}>{drawPage(await searchParams)}</Soon>;
}

async function drawPage(search: SearchValues) {
  const asked = parseCompareParams(search);
  const unknownValues = compareAddress.listUnknown(search);
  const { chosen, unknown, comparison, shared } = asked.picking
    ? { ...(await getCompareChoice(asked.refs)), comparison: null, shared: [] }
    : await getComparePage(asked);
  const params = { ...asked, refs: chosen.map(({ id }) => id) };
  if (comparison === null) {
    return (
      <PageFrame crumbs={[{ label: "Compare" }]} unknown={unknownValues}>
        <PageTitle
          title="Compare"
          summary="Choose groups from any jobs: one agent, model and dataset of a job each. The others are compared with the first."
        />
        <TooManyGroups nNamed={countNamedGroups(search)} />
        <UnknownGroups refs={unknown} />
        <GroupChips chosen={chosen} params={params} />
        <Picker params={params} />
      </PageFrame>
    );
  }
  for (const name of comparison.unknown) params[name] = null;
  const pair = comparison.pairs.length === 1 ? comparison.pairs[0] : undefined;
  return (
    <PageFrame
      crumbs={[
        { label: "Compare", href: "/compare" },
        { label: comparison.groups.map(({ label }) => label).join(", ") },
      ]}
      unknown={[...unknownValues, ...comparison.unknown]}
    >
      <CompareTitle comparison={comparison} params={params} />
      <TooManyGroups nNamed={countNamedGroups(search)} />
      <UnknownGroups refs={unknown} />
      <SharedRollouts shared={shared} />
      <MixedSettings groups={comparison.groups} params={params} />
      <SettingsBar comparison={comparison} params={params} />
      {pair === undefined ? (
        <PairsTable comparison={comparison} />
      ) : (
        <Verdict pair={pair} comparison={comparison} />
      )}
      <CurvesSection comparison={comparison} params={params} />
      <CertaintySection comparison={comparison} />
      <MatrixSection comparison={comparison} params={params} />
    </PageFrame>
  );
}

async function Picker({ params }: { params: CompareParams }) {
  const picker = await getComparePicker(await getStore(), params, await getIdentityOf());
  return <GroupPicker picker={picker} params={params} />;
}
