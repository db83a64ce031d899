import { SensitivityTable } from "@/components/sensitivity/sensitivity-table";
import { AgentName } from "@/components/ui/agent-name";
import { Section } from "@/components/ui/page-title";
import type { JobPage } from "@/lib/pages/job/page";
import type { GroupSensitivity } from "@/lib/pages/sensitivity/job";

export function JobSensitivity({
  page,
  sensitivity,
}: {
  page: JobPage;
  sensitivity: readonly GroupSensitivity[];
}) {
  const rows = sensitivity.flatMap(({ groupKey, line }) => {
    const group = page.groups.find((one) => one.group.key === groupKey);
    if (group === undefined) return [];
    const { identity, group: named } = group;
    return [{ id: groupKey, name: <AgentName {...named} identity={identity} />, identity, line }];
  });
  return rows.length === 0 ? null : (
    <Section title="Sensitivity of the score">
      <SensitivityTable heading="Group" rows={rows} />
    </Section>
  );
}
