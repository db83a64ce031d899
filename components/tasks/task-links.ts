import type { Route } from "next";

import { jobPageHref, type JobParams, writeTrialsQuery } from "@/lib/addresses/job";
import { newQueueHref } from "@/lib/addresses/review";

/** Characters of the keys of groups that an address names; of more, all trials of that task are meant. */
const MOST_CHARS = 600;

type Groups = readonly { readonly key: string }[];

function selectTask(taskName: string | readonly string[], groups: Groups, more: Partial<JobParams>) {
  const keys = [...new Set(groups.map(({ key }) => key))];
  const tasks = typeof taskName === "string" ? [taskName] : taskName;
  return { tasks, ...(keys.join().length > MOST_CHARS ? {} : { groups: keys }), ...more };
}

/** The address of the trials of a task in all jobs, of those evals groups. */
export function taskTrialsHref(taskName: string, groups: Groups, more: Partial<JobParams> = {}): Route {
  return jobPageHref(null, selectTask(taskName, groups, more));
}

/** The address of the form that makes a queue of the trials of some tasks. */
export function queueTaskHref(
  taskName: string | readonly string[],
  groups: Groups,
  more: Partial<JobParams> = {},
): Route {
  return newQueueHref({ list: writeTrialsQuery(selectTask(taskName, groups, more)) });
}
