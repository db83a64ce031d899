import { JobConfig } from "@/components/job/config";
import { JobDimensions } from "@/components/job/dimensions/dimensions";
import { JobTags } from "@/components/job/error-tags";
import { JobDeterminism, JobLostWork, JobRuleScores, JobSensitivity } from "@/components/job/figures/checks";
import { JobFigures, SettingFigures } from "@/components/job/figures/figures";
import type { FilteredList } from "@/components/job/filters";
import { JobLineageSections } from "@/components/job/lineage";
import { JobRubric } from "@/components/job/rubric/rubric";
import { JobFailures, JobTasks } from "@/components/job/tasks/tasks";
import { JobTrials } from "@/components/job/trials/trials";
import type { JobTab } from "@/lib/core/domain/job-filter";
import {
  type FiguresParams,
  type JobParams,
  jobPageHref,
  type RubricParams,
  type TasksParams,
} from "@/lib/pages/job/address";
import { getConfigPanel } from "@/lib/pages/job/config";
import { getDimensions, getDimensionsTab } from "@/lib/pages/job/dimensions";
import { getTags } from "@/lib/pages/job/errors";
import { getFiguresPanel, readRuleScores } from "@/lib/pages/job/figures";
import type { JobOverview } from "@/lib/pages/job/overview";
import { getJobPage, type JobPage } from "@/lib/pages/job/page";
import { getRubricPanel } from "@/lib/pages/job/rubric";
import { getTasksPanel } from "@/lib/pages/job/tasks";
import { getTrialsPanel } from "@/lib/pages/job/trials";
import { getDeterminism } from "@/lib/pages/job/verifier-checks";
import { readJobSensitivity } from "@/lib/pages/sensitivity/job";
import { getStoreOfJob } from "@/lib/pages/shell/catalog";
import type { TrialsParams } from "@/lib/pages/trials/address";

interface PanelProps {
  page: JobPage;
  params: JobParams;
  overview: JobOverview;
}

export async function JobPanel({ page, params, overview }: PanelProps) {
  const { job } = page;
  const store = await getStoreOfJob(job.key);
  // The page may divide groups by settings, but dimensions, tags and checks belong to recorded groups.
  const readWhole = async () => (await getJobPage(job.key, false, params.groupsFrom)) ?? page;
  const listOf = <Params extends TasksParams | TrialsParams | RubricParams | FiguresParams>(
    own: Params,
    read: (params: Params) => Promise<{ readonly nMatching: number }>,
  ): FilteredList<Params> => ({
    params: own,
    hrefOf: (change) => jobPageHref<JobTab>(job.key, own, change as Partial<JobParams>), // Parameters of one tab are some of the page's.
    count: async (change) => (await read({ ...own, ...change })).nMatching,
  });
  switch (params.tab) {
    case "errors":
    case "tasks": {
      const read = (asked: TasksParams) => getTasksPanel(store, job, asked);
      const props = { page, panel: await read(params), list: listOf<TasksParams>(params, read) };
      if (params.tab === "tasks") return <JobTasks {...props} />;
      return (
        <>
          <JobFailures {...props} overview={overview} />
          <JobTags
            page={await readWhole()}
            panel={await getTags(store, job, params.partFrom)}
            params={params}
          />
        </>
      );
    }
    case "trials": {
      const read = (asked: TrialsParams) => getTrialsPanel(store, job, asked);
      return <JobTrials page={page} panel={await read(params)} list={listOf(params, read)} />;
    }
    case "dimensions":
      return (
        <JobDimensions
          page={await readWhole()}
          panel={await getDimensions(store, job, params)}
          sides={await getDimensionsTab(store, job, params)}
          params={params}
        />
      );
    case "rubric": {
      const read = (asked: RubricParams) => getRubricPanel(store, job, asked);
      const list = listOf(params, async (asked) => (await read(asked)).bench ?? { nMatching: 0 });
      return <JobRubric page={await readWhole()} panel={await read(params)} list={list} />;
    }
    case "verification": {
      const read = (asked: FiguresParams) => getFiguresPanel(store, job, asked);
      const whole = await readWhole();
      return (
        <>
          <JobRuleScores page={whole} scores={await readRuleScores(store, job)} />
          <JobSensitivity page={whole} sensitivity={await readJobSensitivity(store, job)} />
          <SettingFigures page={page} />
          <JobFigures page={whole} panel={await read(params)} list={listOf(params, read)} />
          <JobLostWork parts={job.lostWork} />
          <JobDeterminism page={whole} panel={await getDeterminism(store, job)} />
        </>
      );
    }
    case "lineage":
      return <JobLineageSections page={page} lineage={overview.lineage} />;
    case "config":
      return <JobConfig page={page} panel={await getConfigPanel(store, job, params)} params={params} />;
  }
}
