import { SensitivityTable } from "@/components/sensitivity/sensitivity-table";
import { GroupName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { Methods } from "@/components/ui/methods";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Correction } from "@/components/verifier/correction";
import { MAX_COLOURED } from "@/lib/core/domain/compare-filter";
import { CERTAINTY_WORDS, type CertaintyId, type CertaintyWords } from "@/lib/core/format/certainty-words";
import { formatCount, formatSize, MISSING } from "@/lib/core/format/number";
import { nameScore } from "@/lib/core/format/reading-words";
import type { CompareParams } from "@/lib/pages/compare/address";
import type { ComparedPair, Comparison } from "@/lib/pages/compare/page";
import type { GroupCorrection } from "@/lib/pages/verifier/groups";

type Group = Comparison["groups"][number];

export function RobustnessSection({
  comparison,
  corrections,
  params,
}: {
  comparison: Comparison;
  corrections: readonly (GroupCorrection | null)[];
  params: CompareParams;
}) {
  const { pairs, lead } = comparison;
  return (
    <>
      {pairs.length === 1 && lead !== null ? <p className="table-note">{describeReadings(lead)}</p> : null}
      {lead === null ? null : <Detection pair={lead} />}
      <SensitivitySection comparison={comparison} params={params} />
      <CertaintySection comparison={comparison} corrections={corrections} />
    </>
  );
}

function describeReadings({ readings, words }: ComparedPair): string {
  if (readings.length === 0) return "No reading changes the result: no counted trial is missing or excluded.";
  const changed = readings.filter((reading) => reading.words.verdict !== words.verdict);
  return changed.length === 0
    ? "No reading changes the result."
    : `The result changes ${changed.map(({ label, words: { verdict } }) => `${label.toLowerCase()} (${verdict})`).join(", ")}.`;
}

function Detection({ pair: { comparison, words } }: { pair: ComparedPair }) {
  if (comparison.kind === "unavailable" || comparison.detectable.kind === "unavailable") return null;
  const { isRate, detectable } = comparison;
  const { difference, withTwiceTheAttempts, allSpreadIsTrialNoise } = detectable;
  const unit = isRate ? " points" : "";
  return (
    <p className="table-note">
      <span title="The smallest true difference that 80 of 100 such comparisons would detect">
        Detectable from {formatSize(difference, isRate)}
        {unit}
        {withTwiceTheAttempts === null
          ? "."
          : `, with twice the attempts from ${formatSize(withTwiceTheAttempts, isRate)}${allSpreadIsTrialNoise ? " at best" : ""}.`}
      </span>{" "}
      {words.runInterval === null ? null : (
        <span title={words.runInterval.basis}>
          95 % interval with run to run: {words.runInterval.value ?? MISSING}.
        </span>
      )}
    </p>
  );
}

function SensitivitySection({
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

function CertaintySection({
  comparison,
  corrections,
}: {
  comparison: Comparison;
  corrections: readonly (GroupCorrection | null)[];
}) {
  // The column applies to run sets only.
  const hasRuns = comparison.groups.some(({ runs }) => runs.length > 1);
  const figures = CERTAINTY_WORDS.filter(({ id }) => hasRuns || id !== "runToRun");
  // With many groups it is listed below instead, and read out there.
  const isShort = comparison.groups.length <= MAX_COLOURED;
  const isCorrected = corrections.some((correction) => correction !== null);
  return (
    <section className="section certainty" aria-label="Uncertainty">
      <h2>Uncertainty</h2>
      <DataTable<Group>
        caption="Uncertainty of each group’s figures"
        className="table-compact"
        columns={[
          column("Group", (group) => <GroupName group={group} />, { className: "name" }),
          ...(isCorrected ? [correctedColumn(comparison.groups, corrections)] : []),
          ...figures.map((words) => certaintyColumn(words, isShort)),
        ]}
        rows={comparison.groups}
        rowKey={({ id }) => id}
      />
      <Methods>
        {figures.map(({ id, label }) => (
          <p key={id}>
            <b>{label}</b>:{" "}
            {listBases(comparison.groups, id)
              .map(({ basis, names }) => `${names === null ? "" : `${names}: `}${basis}.`)
              .join(" ")}
          </p>
        ))}
      </Methods>
    </section>
  );
}

function correctedColumn(
  groups: readonly Group[],
  corrections: readonly (GroupCorrection | null)[],
): DataColumn<Group> {
  return column(
    "Corrected score",
    (group) => (
      <Correction correction={corrections[groups.indexOf(group)] ?? null} mean={group.headlineMean} />
    ),
    { title: "Human-corrected score, from randomly sampled labels" },
  );
}

function certaintyColumn(
  { id, label, title, minor = false }: CertaintyWords & { readonly id: CertaintyId },
  isShort: boolean,
): DataColumn<Group> {
  return {
    id,
    header: label,
    meta: { numeric: true, title, ...(minor ? { room: "minor" } : {}) },
    attributes: ({ cells }) => ({
      className: cells[id].value === null ? "unknown" : undefined,
      title: isShort ? cells[id].basis : undefined,
    }),
    cell: ({ cells, costNote }) => {
      const { value, range } = cells[id];
      const notes = [range, id === "costPerSolve" ? costNote : null].filter((note) => note !== null);
      return (
        <>
          {value ?? MISSING}
          {notes.map((note) => (
            <span key={note} className="certainty-range">
              {note}
            </span>
          ))}
        </>
      );
    },
  };
}

function listBases(groups: Comparison["groups"], id: CertaintyId) {
  const byBasis = Map.groupBy(groups, ({ cells }) => cells[id].basis);
  return [...byBasis].map(([basis, those]) => ({
    basis,
    names: those.length === groups.length ? null : those.map(({ label }) => label).join(", "),
  }));
}
