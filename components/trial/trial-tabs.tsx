import { TRIAL_TABS, type TrialTab, trialPageHref } from "@/lib/addresses/trial";
import { type Tab, Tabs } from "@/components/ui/tabs";
import { MISSING } from "@/lib/format/number";
import type { TrialPage } from "@/lib/queries/trial/page";

const LABELS: Readonly<Record<TrialTab, string>> = {
  trajectory: "Trajectory",
  steps: "Steps",
  tests: "Tests",
  evaluation: "Evaluation",
  files: "Files",
  log: "Log",
  config: "Config",
};

/** The tabs of a trial with how much each holds; Steps only where the trial has several. */
export function TrialTabs({ page, current }: { page: TrialPage; current: TrialTab }) {
  const { entry, trial } = page;
  const counts: Partial<Record<TrialTab, Tab["count"]>> = {
    trajectory: page.unreadSteps === null ? page.nSteps : MISSING,
    steps: trial.steps?.length ?? null,
    tests: page.tests.length === 0 ? null : page.parts.tests.total,
    files: page.lock === null ? page.nFiles : MISSING,
  };
  return (
    <Tabs
      label="Parts of the trial"
      current={current}
      tabs={TRIAL_TABS.filter((tab) => tab !== "steps" || trial.steps !== null || current === "steps").map(
        (tab) => ({
          id: tab,
          label: LABELS[tab],
          href: trialPageHref(entry.job.key, trial.key, { tab }),
          count: counts[tab] ?? null,
        }),
      )}
    />
  );
}
