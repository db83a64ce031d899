import { Tabs } from "@/components/ui/tabs";
import { DIFF_TABS, diffHref, type DiffParams, type DiffTab } from "@/lib/pages/diff/address";
import type { DiffPage } from "@/lib/pages/diff/page";

const LABELS: Readonly<Record<DiffTab, string>> = {
  trajectory: "Trajectory",
  tests: "Tests",
  dimensions: "Dimensions",
  files: "Files",
};

/** Tabs count differences only if both trials have data; the files tab counts its own. */
export function DiffTabs({ page: { reading }, params }: { page: DiffPage; params: DiffParams }) {
  const { sources, steps, tests, dimensions } = reading;
  const counts: Partial<Record<DiffTab, number | null>> = {
    trajectory: sources.a.nSteps && sources.b.nSteps ? steps.differences.total : null,
    tests: tests.part.total === 0 ? null : tests.nDiffering,
    dimensions: dimensions.nDiffering,
  };
  const { a, b } = params;
  return (
    <Tabs
      label="What is compared"
      current={params.tab}
      tabs={DIFF_TABS.map((tab) => ({
        id: tab,
        label: LABELS[tab],
        href: diffHref({ a, b, tab }),
        count: counts[tab] ?? null,
      }))}
    />
  );
}
