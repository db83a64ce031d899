import { Tabs } from "@/components/ui/tabs";
import type { JobTab } from "@/lib/core/domain/job-filter";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { JobOverview } from "@/lib/pages/job/overview";
import type { JobPage } from "@/lib/pages/job/page";

interface ListedTab {
  readonly id: JobTab;
  readonly label: string;
  readonly count?: number;
  /** True if it has nothing to show, so that only the menu lists it. */
  readonly isEmpty?: boolean;
}

export function listTabs({ job }: JobPage, overview: JobOverview): readonly ListedTab[] {
  const { nFailedTasks, hasDimensions, hasRubric, lineage } = overview;
  return [
    { id: "errors", label: "Failures", count: nFailedTasks, isEmpty: nFailedTasks === 0 },
    { id: "tasks", label: "Tasks", count: job.nTasks },
    { id: "trials", label: "Trials", count: job.nTrials, isEmpty: job.nTrials === 0 },
    { id: "dimensions", label: "Dimensions", isEmpty: !hasDimensions },
    { id: "rubric", label: "Rubric", isEmpty: !hasRubric },
    { id: "verification", label: "Score check", count: job.nFigures },
    { id: "lineage", label: "Regrades", isEmpty: lineage === null },
    { id: "config", label: "Config" },
  ];
}

export function JobTabs({
  page,
  params,
  overview,
}: {
  page: JobPage;
  params: JobParams;
  overview: JobOverview;
}) {
  const { tab: current, isDivided } = params;
  return (
    <div className="job-tabs">
      <Tabs
        label="Parts of this job"
        current={current}
        tabs={listTabs(page, overview)
          .filter(({ id, isEmpty = false }) => !isEmpty || id === current)
          .map(({ id, label, count = null }) => ({
            id,
            label,
            count,
            href: jobPageHref(page.job.key, { tab: id, isDivided }),
          }))}
      />
    </div>
  );
}
