import { SensitivityTable } from "@/components/sensitivity/sensitivity-table";
import { GroupName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import { column } from "@/components/ui/table-columns";
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
          ? " Excluded trials are of all tasks; “Missing rewards” above counts those of common tasks."
          : ""}
      </p>
      <DataTable<(typeof all)[number]>
        caption="Difference by what counts"
        className="table-compact"
        columns={[
          column("Reading", ({ label }) => label, { isRowHeader: true, className: "name" }),
          column("Trials left out", ({ nMoved }) => formatCount(nMoved), { numeric: true }),
          column("Difference", (row) => row.words.difference ?? MISSING, { numeric: true }),
          column("95 % interval", (row) => row.words.interval ?? MISSING, { numeric: true }),
          column("p-value", (row) => row.words.pValue ?? MISSING, { numeric: true }),
          column("Verdict", ({ words: { verdict } }) =>
            verdict === words.verdict ? verdict : <b>{verdict}</b>,
          ),
        ]}
        rows={all}
        rowKey={({ name }) => name}
      />
    </>
  );
}
