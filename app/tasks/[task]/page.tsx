import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { PageFrame } from "@/components/shell/page-frame";
import { BENCHMARKS } from "@/components/shell/places";
import { AttemptChart } from "@/components/tasks/attempt-chart";
import { TaskAttempts } from "@/components/tasks/task-attempts";
import {
  TaskDimensions,
  TaskInstruction,
  TaskReviews,
  TaskTests,
  TaskVersions,
} from "@/components/tasks/task-detail";
import { TaskProblems, TaskTitle } from "@/components/tasks/task-head";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { decodeSegment } from "@/lib/core/domain/segment";
import { datasetHref } from "@/lib/pages/datasets/address";
import { getStore } from "@/lib/pages/shell/catalog";
import { taskAddress, type TaskParams } from "@/lib/pages/tasks/address";
import { getAttemptChart } from "@/lib/pages/tasks/attempt-chart";
import {
  findPassedAndFailed,
  getTaskReviews,
  readTaskPageDimensions,
  readTaskPageTests,
  getTaskInstructions,
} from "@/lib/pages/tasks/detail";
import { getDatasetHealth } from "@/lib/pages/tasks/health";
import { getTaskPage, type TaskPage } from "@/lib/pages/tasks/page";

import "@/components/tasks/tasks.css";

export async function generateMetadata({ params }: PageProps<"/tasks/[task]">): Promise<Metadata> {
  return { title: decodeSegment((await params).task).slice(0, 200) };
}

export default async function TaskRoute({ params, searchParams }: PageProps<"/tasks/[task]">) {
  const [{ task }, search] = await Promise.all([params, searchParams]);
  const address = taskAddress.read(search);
  const page = await getTaskPage(decodeSegment(task), address);
  if (page === null) notFound();
  const { dataset, taskName } = page;
  return (
    <PageFrame
      crumbs={[BENCHMARKS, { label: dataset.label, href: datasetHref(dataset.id) }, { label: taskName }]}
      unknown={taskAddress.listUnknown(search)}
    >
      <TaskTitle page={page} />
      <DelayedSuspense fallback={null}>{drawProblems(page)}</DelayedSuspense>
      <DelayedSuspense fallback={null}>{drawInstruction(page)}</DelayedSuspense>
      <TaskAttempts page={page} />
      <Attempts page={page} params={address} />
      <DelayedSuspense fallback={null}>{drawTests(page)}</DelayedSuspense>
      <div className="task-columns">
        <DelayedSuspense fallback={null}>{drawReviews(page)}</DelayedSuspense>
        <TaskVersions page={page} />
      </div>
    </PageFrame>
  );
}

async function drawProblems(page: TaskPage) {
  const health = await getDatasetHealth(`task ${page.dataset.ids.join("\n")}`, page.groups);
  return <TaskProblems page={page} health={health} pair={findPassedAndFailed(page)} />;
}

async function drawInstruction(page: TaskPage) {
  return <TaskInstruction instructions={await getTaskInstructions(page)} />;
}

function Attempts({ page, params }: { page: TaskPage; params: TaskParams }) {
  const attempts = getAttemptChart(page, params);
  return attempts === null ? null : <AttemptChart page={page} attempts={attempts} params={params} />;
}

async function drawTests(page: TaskPage) {
  const store = await getStore();
  const [tests, dimensions] = await Promise.all([
    readTaskPageTests(store, page),
    readTaskPageDimensions(store, page),
  ]);
  return (
    <div className="task-columns">
      <TaskTests tests={tests} />
      <TaskDimensions dimensions={dimensions} />
    </div>
  );
}

async function drawReviews(page: TaskPage) {
  return <TaskReviews found={await getTaskReviews(await getStore(), page)} />;
}
