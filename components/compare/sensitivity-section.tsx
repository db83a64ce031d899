import { SensitivityTable } from "@/components/sensitivity/sensitivity-table";
import { GroupName } from "@/components/ui/agent-name";
import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import { formatCount, MISSING } from "@/lib/core/format/number";
import { nameScore } from "@/lib/core/format/reading-words";
import type { CompareParams } from "@/lib/pages/compare/address";
import type { ComparedPair, Comparison } from "@/lib/pages/compare/page";

export function SensitivitySection({
  comparison: { groups, pairs },
  params: { missing, tasks },
}: {
  comparison: Comparison;
  params: Pick<CompareParams, "missing" | "tasks">;
}) {
  const score = nameScore(missing);
  const rows = groups.flatMap((group) =>
    group.sensitivityLine === null
      ? []
      : [
          {
            id: group.id,
            name: <GroupName group={group} />,
            // With more groups than colours, the name next to the mark suffices.
            ...(group.isInk === true ? {} : { identity: group.identity }),
            line: group.sensitivityLine,
          },
        ],
  );
  const [pair] = pairs;
  return rows.length === 0 ? null : (
    <Section title="Sensitivity of the score">
      <SensitivityTable heading="Group" rows={rows} score={score} />
      {pair === undefined || pair.readings.length === 0 ? null : (
        <PairReadings pair={pair} score={score} isOfCommon={tasks === "common"} />
      )}
    </Section>
  );
}

const COLUMNS = [
  { id: "reading", label: "Reading" },
  { id: "moved", label: "Trials left out", numeric: true },
  { id: "difference", label: "Difference", numeric: true },
  { id: "interval", label: "95 % interval", numeric: true },
  { id: "p", label: "p-value", numeric: true },
  { id: "verdict", label: "Verdict" },
];

function PairReadings({
  pair: { first, second, comparison, words, readings },
  score,
  isOfCommon,
}: {
  pair: ComparedPair;
  score: string;
  isOfCommon: boolean;
}) {
  const hasOthers =
    isOfCommon && comparison.kind === "computed" && comparison.nOnlyFirst + comparison.nOnlySecond > 0;
  const all = [{ name: "recorded", label: score, nMoved: 0, words }, ...readings];
  return (
    <>
      <p className="caption table-note">
        {first.label} minus {second.label}, by what counts.
        {hasOthers
          ? " Trials left out are of all tasks; “Missing rewards” above counts those of common tasks."
          : ""}
      </p>
      <Table caption="Difference by what counts" columns={COLUMNS} compact>
        <tbody>
          {all.map(({ name, label, nMoved, words: { difference, interval, pValue, verdict } }) => (
            <tr key={name}>
              <th scope="row" className="name">
                {label}
              </th>
              <td className="numeric">{formatCount(nMoved)}</td>
              <td className="numeric">{difference ?? MISSING}</td>
              <td className="numeric">{interval ?? MISSING}</td>
              <td className="numeric">{pValue ?? MISSING}</td>
              <td>{verdict === words.verdict ? verdict : <b>{verdict}</b>}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
