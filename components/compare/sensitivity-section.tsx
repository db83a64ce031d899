import { SensitivityTable } from "@/components/sensitivity/sensitivity-table";
import { GroupName } from "@/components/ui/agent-name";
import { Section } from "@/components/ui/page-title";
import type { Comparison } from "@/lib/queries/compare/page";

/** How far the scores of the compared groups depend on what counts; nothing where no reading moves a trial. */
export function SensitivitySection({ comparison: { groups } }: { comparison: Comparison }) {
  const rows = groups.flatMap((group) =>
    group.sensitivityLine === null
      ? []
      : [
          {
            id: group.id,
            name: <GroupName group={group} />,
            identity: group.identity,
            line: group.sensitivityLine,
          },
        ],
  );
  return rows.length === 0 ? null : (
    <Section title="Sensitivity of the score">
      <SensitivityTable heading="Group" rows={rows} />
    </Section>
  );
}
