import type { Route } from "next";

import { newQueueHref } from "@/lib/pages/annotations/review-address";
import { trialsPageHref, type TrialsParams, writeTrialsQuery } from "@/lib/pages/trials/address";

/** Characters of group keys in a URL; beyond it, the URL selects all trials of the task. */
const MOST_CHARS = 600;

type Groups = readonly { readonly key: string }[];

function selectTask(taskName: string | readonly string[], groups: Groups, more: Partial<TrialsParams>) {
  const keys = [...new Set(groups.map(({ key }) => key))];
  const tasks = typeof taskName === "string" ? [taskName] : taskName;
  return { tasks, ...(keys.join().length > MOST_CHARS ? {} : { groups: keys }), ...more };
}

export function taskTrialsHref(taskName: string, groups: Groups, more: Partial<TrialsParams> = {}): Route {
  return trialsPageHref(null, selectTask(taskName, groups, more));
}

export function queueTaskHref(
  taskName: string | readonly string[],
  groups: Groups,
  more: Partial<TrialsParams> = {},
): Route {
  return newQueueHref({ list: writeTrialsQuery(selectTask(taskName, groups, more)) });
}
