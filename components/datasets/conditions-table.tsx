import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import { Unknown } from "@/components/ui/values";
import { formatCount, formatPlural } from "@/lib/format/number";
import { capitalise } from "@/lib/format/words";
import type { LeaderboardLine, LeaderboardPage } from "@/lib/queries/datasets/leaderboard";

const COLUMNS = [
  { id: "condition", label: "Condition" },
  { id: "most", label: "Most groups" },
  { id: "differs", label: "Other groups" },
  { id: "unknown", label: "Not stated", numeric: true },
];

/** More of them stand folded. */
const MOST_OPEN = 4;

type Mark = LeaderboardLine["marks"][number];

/** Every condition of a fair comparison: what most groups have, and which do not. */
export function ConditionsTable({ page: { lines, conditions } }: { page: LeaderboardPage }) {
  const nDiffering = lines.filter(({ marks }) => marks.some(({ state }) => state === "differs")).length;
  const note =
    nDiffering === 0
      ? `No group is known to differ in ${formatPlural(conditions.length, "condition")}`
      : `${formatCount(nDiffering)} of ${formatPlural(lines.length, "group")} differ; each keeps its rank and carries the mark`;
  return (
    <Section title="Comparable" note={note}>
      <Table caption="Conditions of the groups" columns={COLUMNS} compact>
        <tbody>
          {conditions.map(({ name, common }) => (
            <tr key={name}>
              <th scope="row" className="name">
                {capitalise(name)}
              </th>
              <td>{common ?? <Unknown title="No value that most groups state" />}</td>
              <td className="wrap">
                <Differing found={findMarks(lines, name, "differs")} />
              </td>
              <td className="numeric">{formatCount(findMarks(lines, name, "unknown").length)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

function findMarks(lines: readonly LeaderboardLine[], condition: string, state: Mark["state"]) {
  return lines.flatMap(({ refs, label, marks }) =>
    marks
      .filter((mark) => mark.name === condition && mark.state === state)
      .map(({ detail }) => ({ id: refs.join(" "), label, detail })),
  );
}

function Differing({ found }: { found: ReturnType<typeof findMarks> }) {
  if (found.length === 0) return <span className="muted">none</span>;
  const all = found.map(({ id, label, detail }) => (
    <span key={id} className="leaderboard-mark">
      <b>{label}</b> {detail}
    </span>
  ));
  return found.length <= MOST_OPEN ? (
    all
  ) : (
    <details>
      <summary>{formatPlural(found.length, "group")}</summary>
      {all}
    </details>
  );
}
