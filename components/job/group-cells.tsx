import { AgentName } from "@/components/ui/agent-name";
import { formatSetup } from "@/lib/core/format/agent-settings";
import { formatRange, formatReward, MISSING } from "@/lib/core/format/number";
import type { MeanBounds } from "@/lib/core/stats";
import type { JobGroup } from "@/lib/pages/job/page";
import type { GroupSummary } from "@/lib/store/tables";

export function selectBounds(summary: Pick<GroupSummary, "interval">): MeanBounds | null {
  const { interval } = summary;
  if (interval.kind !== "computed" || interval.bounds.kind !== "computed") return null;
  return interval.bounds;
}

export function formatBounds(bounds: MeanBounds | null): string {
  return bounds === null ? MISSING : formatRange(bounds, (value) => formatReward(value, 2));
}

export function findGroup(groups: readonly JobGroup[], key: string): JobGroup | undefined {
  return groups.find(({ group }) => group.key === key);
}

export function GroupAgent({ groups, groupKey }: { groups: readonly JobGroup[]; groupKey: string }) {
  const found = findGroup(groups, groupKey);
  if (found === undefined) return groupKey;
  const { identity, group, setup } = found;
  return (
    <>
      <AgentName identity={identity} agent={group.agent} model={group.model} />
      {setup === null ? null : <span className="muted"> {formatSetup(setup)}</span>}
    </>
  );
}

export function describeNoPassAtK({
  passAtKIneligible: reason,
}: Pick<JobGroup["group"], "passAtKIneligible">): string | null {
  return reason === null ? null : `No pass@k: ${INELIGIBLE[reason]}`;
}

const INELIGIBLE: Readonly<Record<NonNullable<JobGroup["group"]["passAtKIneligible"]>, string>> = {
  "several-reward-keys": "Harbor computes it for a single reward key only",
  "reward-not-0-or-1": "Harbor computes it for rewards of 0 or 1 only",
  "one-attempt": "some task has a single attempt",
  "no-trials": "no trial counts",
};
