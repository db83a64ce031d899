import { JobConfig } from "@/components/job/config/config";
import { JobDimensions } from "@/components/job/dimensions/dimensions";
import { JobTags } from "@/components/job/errors/errors";
import { JobDeterminism } from "@/components/job/figures/determinism";
import { JobFigures, SettingFigures } from "@/components/job/figures/figures";
import { JobRuleScores } from "@/components/job/figures/rule-scores";
import { JobLineageSections } from "@/components/job/lineage/lineage";
import { JobLostWork } from "@/components/job/lost-work";
import { JobRubric } from "@/components/job/rubric/rubric";
import { JobSensitivity } from "@/components/job/sensitivity";
import { JobFailures } from "@/components/job/tasks/failures";
import { JobTasks } from "@/components/job/tasks/tasks";
import { JobTrials } from "@/components/job/trials/trials";
import type { JobParams, FiguresParams, TasksParams } from "@/lib/pages/job/address";
import { getConfigPanel } from "@/lib/pages/job/config";
import { getDimensions } from "@/lib/pages/job/dimensions";
import { getDimensionsTab } from "@/lib/pages/job/dimensions-tab";
import { getTags } from "@/lib/pages/job/errors";
import { getFiguresPanel } from "@/lib/pages/job/figures";
import type { JobOverview } from "@/lib/pages/job/overview";
import { getJobPage, type JobPage } from "@/lib/pages/job/page";
import { getRubricPanel } from "@/lib/pages/job/rubric";
import { readRuleScores } from "@/lib/pages/job/score-by-rule";
import { getTasksPanel } from "@/lib/pages/job/tasks";
import { getTrialsPanel } from "@/lib/pages/job/trials";
import { getDeterminism } from "@/lib/pages/job/verifier-checks";
import { readJobSensitivity } from "@/lib/pages/sensitivity/job";
import { getStoreOfJob } from "@/lib/pages/shell/catalog";

export async function JobPanel({
  page,
  params,
  overview,
}: {
  page: JobPage;
  params: JobParams;
  overview: JobOverview;
}) {
  const { job } = page;
  const store = await getStoreOfJob(job.key);
  const readWhole = () => readRecorded(page, params);
  switch (params.tab) {
    case "tasks":
      return (
        <JobTasks
          page={page}
          panel={await getTasksPanel(store, job, params)}
          params={params}
          count={async (change) => (await getTasksPanel(store, job, { ...params, ...change })).nMatching}
        />
      );
    case "trials":
      return (
        <JobTrials
          page={page}
          panel={await getTrialsPanel(store, job, params)}
          params={params}
          count={async (change) => (await getTrialsPanel(store, job, { ...params, ...change })).nMatching}
        />
      );
    case "dimensions":
      return (
        <JobDimensions
          page={await readWhole()}
          panel={await getDimensions(store, job, params)}
          sides={await getDimensionsTab(store, job, params)}
          params={params}
        />
      );
    case "rubric":
      return (
        <JobRubric
          page={await readWhole()}
          panel={await getRubricPanel(store, job, params)}
          params={params}
          count={async (change) =>
            (await getRubricPanel(store, job, { ...params, ...change })).bench?.nMatching ?? 0
          }
        />
      );
    case "errors":
      return <FailuresTab page={page} params={params} overview={overview} />;
    case "verification":
      return <CheckTab page={page} params={params} />;
    case "lineage":
      return <JobLineageSections page={page} lineage={overview.lineage} />;
    case "config":
      return <JobConfig page={page} panel={await getConfigPanel(store, job, params)} params={params} />;
  }
}

/** Dimensions, tags and checks are of recorded groups. */
async function readRecorded(page: JobPage, { groupsFrom }: Pick<JobParams, "groupsFrom">): Promise<JobPage> {
  return (await getJobPage(page.job.key, false, groupsFrom)) ?? page;
}

async function FailuresTab({
  page,
  params,
  overview,
}: {
  page: JobPage;
  params: TasksParams;
  overview: JobOverview;
}) {
  const { job } = page;
  const store = await getStoreOfJob(job.key);
  return (
    <>
      <JobFailures
        page={page}
        panel={await getTasksPanel(store, job, params)}
        params={params}
        overview={overview}
        count={async (change) => (await getTasksPanel(store, job, { ...params, ...change })).nMatching}
      />
      <JobTags page={await readRecorded(page, params)} panel={await getTags(store, job)} />
    </>
  );
}

async function CheckTab({ page, params }: { page: JobPage; params: FiguresParams }) {
  const { job } = page;
  const store = await getStoreOfJob(job.key);
  const whole = await readRecorded(page, params);
  return (
    <>
      <JobRuleScores page={whole} scores={await readRuleScores(store, job)} />
      <JobSensitivity page={whole} sensitivity={await readJobSensitivity(store, job)} />
      <SettingFigures page={page} />
      <JobFigures
        page={whole}
        panel={await getFiguresPanel(store, job, params)}
        params={params}
        count={async (change) => (await getFiguresPanel(store, job, { ...params, ...change })).nMatching}
      />
      <JobLostWork parts={job.lostWork} />
      <JobDeterminism page={whole} panel={await getDeterminism(store, job)} />
    </>
  );
}
