import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import { formatCount, formatPlural } from "@/lib/format/number";
import type { LeaderboardLine } from "@/lib/queries/datasets/leaderboard";

const COLUMNS = [
  { id: "group", label: "Group" },
  { id: "differs", label: "Differs in" },
];

/** What each group does not have in common with most others. */
export function MarksTable({ lines }: { lines: readonly LeaderboardLine[] }) {
  const marked = lines.filter(({ marks }) => marks.length > 0);
  const nEqual = lines.length - marked.length;
  return (
    <Section
      title="Comparable"
      note={`${formatCount(nEqual)} of ${formatPlural(lines.length, "group")} match most others in every check`}
    >
      {marked.length === 0 ? null : (
        <Table caption="What differs of each group" columns={COLUMNS} compact>
          <tbody>
            {marked.map(({ refs, label, marks }) => (
              <tr key={refs.join(" ")}>
                <th scope="row" className="name">
                  {label}
                </th>
                <td className="wrap">
                  {marks.map(({ name, state, detail }) => (
                    <span
                      key={name}
                      className={state === "unknown" ? "muted leaderboard-mark" : "leaderboard-mark"}
                    >
                      {name}: {detail}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}
