import "server-only";

import type { JobHead } from "@/lib/store";

/** The name of some runs counted together, with their agents where a job of theirs has several groups, so that the name alone does not say which. */
export function nameWithAgent(
  name: string,
  runs: readonly { readonly job: Pick<JobHead, "groups">; readonly group: { readonly agent: string } }[],
): string {
  if (runs.every(({ job }) => job.groups.length < 2)) return name;
  return `${name} ${[...new Set(runs.map(({ group }) => group.agent))].join(", ")}`;
}
