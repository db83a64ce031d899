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
  type TrialHit,
  type ValueHit,
} from "@/lib/store/tables";

import { getStore } from "./catalog";

const LIMIT = 8;
const NEWEST = 5;

interface SearchItem {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly href: Route;
}

interface SearchGroup {
  readonly kind: "jobs" | "tasks" | "trials" | "agents" | "models" | "exceptions" | "views";
  readonly heading: string;
  readonly items: readonly SearchItem[];
  readonly more: string;
}

export interface SearchAnswer {
  readonly groups: readonly SearchGroup[];
}

/** A blank text finds the newest jobs and the saved views. */
export async function getSearch(text: string): Promise<SearchAnswer> {
  const [store, { views }] = await Promise.all([getStore(), listViews()]);
  const sought = text.trim();
  const groups = sought === "" ? await listNewest(store, views) : await findGroups(store, views, sought);
  return { groups: groups.filter(({ items }) => items.length > 0) };
}

async function listNewest(store: IndexStore, views: readonly SavedView[]): Promise<readonly SearchGroup[]> {
  const newest = await readNewestJobs(store, NEWEST);
  return [
    group("views", "Saved views", { hits: views.slice(0, LIMIT), nMatching: views.length }, toViewItem),
    group("jobs", "Newest jobs", { hits: newest, nMatching: newest.length }, toJobItem),
  ];
}

async function findGroups(
  store: IndexStore,
  views: readonly SavedView[],
  text: string,
): Promise<readonly SearchGroup[]> {
  const found = await readSearch(store, text, LIMIT);
  return [
    group("views", "Saved views", findViews(views, text), toViewItem),
    group("jobs", "Jobs", found.jobs, toJobItem),
    addAllJobs(group("tasks", "Tasks", found.tasks, toTaskItem), found.tasks.hits),
    group("agents", "Agents", found.agents, toAgentModelItem("agents")),
    group("models", "Models", found.models, toAgentModelItem("models")),
    group("exceptions", "Exception types", found.exceptions, toExceptionItem),
    group("trials", "Trials", found.trials, toTrialItem),
  ];
}

function group<Hit>(
  kind: SearchGroup["kind"],
  heading: string,
  { hits, nMatching }: SearchHits<Hit>,
  toItem: (hit: Hit) => SearchItem,
): SearchGroup {
  const nMore = nMatching === null ? null : nMatching - hits.length;
  const more = nMore === null ? `more than ${hits.length}` : nMore > 0 ? `${formatCount(nMore)} more` : "";
  return { kind, heading, items: hits.map(toItem), more };
}

function findViews(views: readonly SavedView[], text: string): SearchHits<SavedView> {
  const words = text.toLowerCase().split(/\s+/);
  const hits = views.filter(({ name, createdBy }) =>
    words.every((word) => `${name} ${createdBy ?? ""}`.toLowerCase().includes(word)),
  );
  return { hits: hits.slice(0, LIMIT), nMatching: hits.length };
}

function toViewItem({ id, name, href, createdBy }: SavedView): SearchItem {
  return {
    id,
    label: name,
    detail: createdBy === null ? "" : `saved by ${createdBy}`,
    href: buildHref(href),
  };
}

function toJobItem({ key, name, isRead, nTrials }: JobHit): SearchItem {
  const detail = isRead ? formatPlural(nTrials, "trial") : "not read yet";
  return { id: key, label: name, detail, href: jobHref(key) };
}

function toTaskItem({ taskName, nJobs, jobs: [newest] }: TaskHit): SearchItem {
  const rest = nJobs - 1;
  return {
    id: taskName,
    label: formatTask({ taskName }),
    detail: `in ${newest?.name ?? ""}${rest > 0 ? ` and ${formatPlural(rest, "other job")}` : ""}`,
    href:
      newest === undefined
        ? jobsHref({ text: taskName })
        : jobPageHref(newest.key, { tab: "tasks", tasks: [taskName] }),
  };
}

function addAllJobs(tasks: SearchGroup, [best]: readonly TaskHit[]): SearchGroup {
  if (best === undefined || best.nJobs < 2) return tasks;
  const all: SearchItem = {
    id: "all jobs",
    label: `All ${formatCount(best.nJobs)} jobs with it`,
    detail: best.taskName,
    href: jobsHref({ text: best.taskName }),
  };
  return { ...tasks, items: [...tasks.items.slice(0, 1), all, ...tasks.items.slice(1)] };
}

function toAgentModelItem(facet: "agents" | "models"): (hit: ValueHit) => SearchItem {
  return ({ value, nJobs }) => ({
    id: value,
    label: value,
    detail: formatPlural(nJobs, "job"),
    href: jobsHref({ [facet]: [value] }),
  });
}

function toExceptionItem({ value, count, nJobs }: ValueHit): SearchItem {
  return {
    id: value,
    label: value,
    detail: `${formatPlural(count, "trial")} in ${formatPlural(nJobs, "job")}`,
    href: errorsHref({ text: value, open: value }),
  };
}

function toTrialItem({ key, jobKey, jobName, outcome }: TrialHit): SearchItem {
  return {
    id: `${jobKey}/${key}`,
    label: key,
    detail: `${outcome} in ${jobName}`,
    href: trialHref(jobKey, key),
  };
}
