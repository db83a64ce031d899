import { GroupName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { Methods } from "@/components/ui/methods";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Correction } from "@/components/verifier/correction";
import { MAX_COLOURED } from "@/lib/core/domain/compare-filter";
import { CERTAINTY_WORDS, type CertaintyId, type CertaintyWords } from "@/lib/core/format/certainty-words";
import { MISSING } from "@/lib/core/format/number";
import type { Comparison } from "@/lib/pages/compare/page";
import type { GroupCorrection } from "@/lib/pages/verifier/groups";

import "./certainty-section.css";

type Group = Comparison["groups"][number];

export function CertaintySection({
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
