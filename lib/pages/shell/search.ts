import "server-only";
import type { Route } from "next";

import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { buildHref, jobHref, trialHref } from "@/lib/pages/address/href";
import { errorsHref } from "@/lib/pages/errors/address";
import { jobPageHref } from "@/lib/pages/job/address";
import { jobsHref } from "@/lib/pages/jobs/address";
import { listViews, type SavedView } from "@/lib/people/views";
import {
  type IndexStore,
  type JobHit,
  readNewestJobs,
  readSearch,
  type SearchHits,
  type TaskHit,
  type ValueHit,
} from "@/lib/store/tables";

import { getStore } from "./catalog";

const LIMIT = 8;
const NEWEST = 5;

type SearchGroup = ReturnType<typeof group>;

export type SearchAnswer = Awaited<ReturnType<typeof getSearch>>;

/** A blank text finds the newest jobs and the saved views. */
export async function getSearch(text: string) {
  const [store, { views }] = await Promise.all([getStore(), listViews()]);
  const sought = text.trim();
  const groups = sought === "" ? await listNewest(store, views) : await findGroups(store, views, sought);
  return { groups: groups.filter(({ items }) => items.length > 0) };
}

async function listNewest(store: IndexStore, views: readonly SavedView[]) {
  const newest = await readNewestJobs(store, NEWEST);
  return [
    group("views", "Saved views", { hits: views.slice(0, LIMIT), nMatching: views.length }, toViewItem),
    group("jobs", "Newest jobs", { hits: newest, nMatching: newest.length }, toJobItem),
  ];
}

async function findGroups(store: IndexStore, views: readonly SavedView[], text: string) {
  const found = await readSearch(store, text, LIMIT);
  return [
    group("views", "Saved views", findViews(views, text), toViewItem),
    group("jobs", "Jobs", found.jobs, toJobItem),
    addAllJobs(group("tasks", "Tasks", found.tasks, toTaskItem), found.tasks.hits),
    group("agents", "Agents", found.agents, toAgentModelItem("agents")),
    group("models", "Models", found.models, toAgentModelItem("models")),
    group("exceptions", "Exception types", found.exceptions, ({ value, count, nJobs }) =>
      toItem(
        value,
        `${formatPlural(count, "trial")} in ${formatPlural(nJobs, "job")}`,
        errorsHref({ text: value, open: value }),
      ),
    ),
    group("trials", "Trials", found.trials, ({ key, jobKey, jobName, outcome }) =>
      toItem(key, `${outcome} in ${jobName}`, trialHref(jobKey, key)),
    ),
  ];
}

function toItem(label: string, detail: string, href: Route) {
  return { label, detail, href };
}

function group<Hit>(
  kind: "jobs" | "tasks" | "trials" | "agents" | "models" | "exceptions" | "views",
  heading: string,
  { hits, nMatching }: SearchHits<Hit>,
  draw: (hit: Hit) => ReturnType<typeof toItem>,
) {
  const nMore = nMatching === null ? null : nMatching - hits.length;
  const more = nMore === null ? `more than ${hits.length}` : nMore > 0 ? `${formatCount(nMore)} more` : "";
  return { kind, heading, items: hits.map(draw), more };
}

function findViews(views: readonly SavedView[], text: string): SearchHits<SavedView> {
  const words = text.toLowerCase().split(/\s+/);
  const hits = views.filter(({ name, createdBy }) =>
    words.every((word) => `${name} ${createdBy ?? ""}`.toLowerCase().includes(word)),
  );
  return { hits: hits.slice(0, LIMIT), nMatching: hits.length };
}

function toViewItem({ name, href, createdBy }: SavedView) {
  return toItem(name, createdBy === null ? "" : `saved by ${createdBy}`, buildHref(href));
}

function toJobItem({ key, name, isRead, nTrials }: JobHit) {
  return toItem(name, isRead ? formatPlural(nTrials, "trial") : "not read yet", jobHref(key));
}

function toTaskItem({ taskName, nJobs, jobs: [newest] }: TaskHit) {
  const rest = nJobs - 1;
  return toItem(
    formatTask({ taskName }),
    `in ${newest?.name ?? ""}${rest > 0 ? ` and ${formatPlural(rest, "other job")}` : ""}`,
    newest === undefined
      ? jobsHref({ text: taskName })
      : jobPageHref(newest.key, { tab: "tasks", tasks: [taskName] }),
  );
}

function addAllJobs(tasks: SearchGroup, [best]: readonly TaskHit[]): SearchGroup {
  if (best === undefined || best.nJobs < 2) return tasks;
  const { nJobs, taskName } = best;
  const all = toItem(`All ${formatCount(nJobs)} jobs with it`, taskName, jobsHref({ text: taskName }));
  return { ...tasks, items: tasks.items.toSpliced(1, 0, all) };
}

function toAgentModelItem(facet: "agents" | "models") {
  return ({ value, nJobs }: ValueHit) =>
    toItem(value, formatPlural(nJobs, "job"), jobsHref({ [facet]: [value] }));
}
