import "server-only";
import type { JobHead } from "@/lib/store/tables";

/** Adds the agents if a job has several groups, since the name alone is then ambiguous. */
export function nameWithAgent(
  name: string,
  runs: readonly { readonly job: Pick<JobHead, "groups">; readonly group: { readonly agent: string } }[],
): string {
  if (runs.every(({ job }) => job.groups.length < 2)) return name;
  return `${name} ${[...new Set(runs.map(({ group }) => group.agent))].join(", ")}`;
}
