import { Tabs } from "@/components/ui/tabs";
import { BESIDE_TABS, besideHref, type BesideParams, type BesideTab } from "@/lib/pages/diff/address";
import type { BesidePage } from "@/lib/pages/diff/page";

const LABELS: Readonly<Record<BesideTab, string>> = {
  trajectory: "Trajectory",
  tests: "Tests",
  dimensions: "Dimensions",
  files: "Files",
};

/** Tabs count differences only if both trials have data; the files tab counts its own. */
export function BesideTabs({ page: { reading }, params }: { page: BesidePage; params: BesideParams }) {
  const { sources, steps, tests, dimensions } = reading;
  const counts: Partial<Record<BesideTab, number | null>> = {
    trajectory: sources.a.nSteps && sources.b.nSteps ? steps.differences.total : null,
    tests: tests.part.total === 0 ? null : tests.nDiffering,
    dimensions: dimensions.nDiffering,
  };
  const { a, b } = params;
  return (
    <Tabs
      label="What is compared"
      current={params.tab}
      tabs={BESIDE_TABS.map((tab) => ({
        id: tab,
        label: LABELS[tab],
        href: besideHref({ a, b, tab }),
        count: counts[tab] ?? null,
      }))}
    />
  );
}
