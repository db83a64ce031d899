import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDay } from "@/lib/core/format/time";
import { SIGNAL_WORDS } from "@/lib/core/format/words";
import type { Cluster } from "@/lib/pages/clusters/clusters";
import type { ClusterPage } from "@/lib/pages/clusters/page";

/** Longer patterns are cut where they serve as a name. */
const MOST_SHOWN = 100;

export function nameOf({ name, pattern }: Pick<Cluster, "name" | "pattern">): string {
  if (name !== null) return name;
  return pattern.length <= MOST_SHOWN ? pattern : `${pattern.slice(0, MOST_SHOWN - 1).toWellFormed()}…`;
}

export function describeKind({ kind }: Pick<Cluster, "kind">): string {
  if (kind === "dimensions") return "Failed dimensions";
  return kind === "outcome" ? "Outcome alone" : SIGNAL_WORDS[kind];
}

export function summarise({ cluster, byAgent, byJob, byTask }: ClusterPage): string {
  const [task] = byTask;
  const tasks =
    byTask.length === 1 && task !== undefined ? `task ${task[0]}` : formatPlural(byTask.length, "task");
  const counts = `${formatPlural(cluster.nTrials, "trial")} of ${formatPlural(byAgent.length, "agent")} in ${formatPlural(byJob.length, "job")}, ${tasks}.`;
  const { firstSeenMs, lastSeenMs } = cluster;
  if (firstSeenMs === null) return `${counts} Dates unknown.`;
  return `${counts} First seen ${formatDay(firstSeenMs)}, last seen ${formatDay(lastSeenMs)}.`;
}

export function nameSlots(kinds: readonly string[]): readonly string[] {
  return kinds.map((kind, at) => {
    if (kinds.indexOf(kind) === kinds.lastIndexOf(kind)) return kind;
    return `${kind} ${formatCount(kinds.slice(0, at + 1).filter((one) => one === kind).length)}`;
  });
}
