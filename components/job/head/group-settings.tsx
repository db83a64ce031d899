import { Link } from "@/components/ui/link";
import { formatDifference, formatSettingName, formatSetup } from "@/lib/core/format/agent-settings";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { JobGroup, JobPage } from "@/lib/pages/job/page";

import "./group-settings.css";

export function SettingsWords({ group: { setup, setups } }: { group: Pick<JobGroup, "setup" | "setups"> }) {
  if (setup !== null) return <span className="group-settings muted">{formatSetup(setup)}</span>;
  if (setups === null) return null;
  const { differences } = setups;
  return (
    <span className="group-settings" title={differences.map(formatDifference).join("\n")}>
      <b>Settings differ</b>{" "}
      <span className="muted">{differences.map(({ name }) => formatSettingName(name)).join(", ")}</span>
    </span>
  );
}

export function SettingsSwitch({ page, params }: { page: JobPage; params: JobParams }) {
  const { key } = page.job;
  const mixed = page.job.groups.filter(({ setups }) => setups !== null);
  if (mixed.length === 0) return null;
  const canSplit = mixed.some(({ setups }) => (setups?.parts.length ?? 0) > 0);
  return (
    <p className="group-settings-switch">
      {params.isDivided
        ? "Split by agent setting. Harbor records whole groups; Score check verifies those."
        : describeMixed(mixed)}{" "}
      {canSplit ? (
        <Link href={jobPageHref(key, params, { isDivided: !params.isDivided, groups: [] })} mode="replace">
          {params.isDivided ? "Show groups as recorded" : "Split by setting"}
        </Link>
      ) : (
        <span className="muted">Too many settings to split by.</span>
      )}
    </p>
  );
}

function describeMixed(groups: JobPage["job"]["groups"]): string {
  const words = groups.map(({ group, setups }) => {
    const differences = (setups?.differences ?? []).map(formatDifference).join("; ");
    return groups.length === 1 ? differences : `${group.agent} ${group.model ?? ""}: ${differences}`;
  });
  return `Trials with different agent settings share a group (${words.join(". ")}), because Harbor's groups leave settings out.`;
}
