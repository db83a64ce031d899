import { Tabs } from "@/components/ui/tabs";
import { JOB_TABS, type JobTab } from "@/lib/core/domain/job-filter";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { JobPage } from "@/lib/pages/job/page";

const LABELS: Readonly<Record<JobTab, string>> = {
  tasks: "Tasks",
  trials: "Trials",
  dimensions: "Dimensions",
  rubric: "Rubric",
  errors: "Errors",
  verification: "Score check",
  config: "Config",
};

export function JobTabs({ page, params }: { page: JobPage; params: JobParams }) {
  const counts: Readonly<Record<JobTab, number | null>> = {
    tasks: page.job.nTasks,
    trials: page.job.nTrials,
    dimensions: null,
    rubric: null,
    errors: page.job.nExceptionTypes,
    verification: page.job.nFigures,
    config: null,
  };
  const tabs = JOB_TABS.map((id) => ({
    id,
    label: LABELS[id],
    href: jobPageHref(page.job.key, { tab: id, isDivided: params.isDivided }),
    count: counts[id],
  }));
  return (
    <div className="job-tabs">
      <Tabs label="Parts of this job" tabs={tabs} current={params.tab} />
    </div>
  );
}
