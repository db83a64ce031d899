import { GroupName } from "@/components/ui/agent-name";
import { Methods } from "@/components/ui/methods";
import { type Column, Table } from "@/components/ui/table";
import { Correction } from "@/components/verifier/correction";
import { MAX_COLOURED } from "@/lib/core/domain/compare-filter";
import { CERTAINTY_WORDS, type CertaintyId } from "@/lib/core/format/certainty-words";
import type { Comparison } from "@/lib/pages/compare/page";
import type { GroupCorrection } from "@/lib/pages/verifier/groups";

import { CertaintyRow } from "./certainty-row";

import "./certainty-section.css";

const COLUMNS: readonly (Column & { readonly id: CertaintyId })[] = CERTAINTY_WORDS.map(
  ({ term: _, ...words }) => ({ ...words, numeric: true }),
);

const CORRECTED: Column = {
  id: "corrected",
  label: "Corrected score",
  title: "The score as humans would have it, by labels of trials drawn by chance",
};

export function CertaintySection({
  comparison,
  corrections,
}: {
  comparison: Comparison;
  corrections: readonly (GroupCorrection | null)[];
}) {
  // The column applies to run sets only.
  const columns = comparison.groups.some(({ runs }) => runs.length > 1)
    ? COLUMNS
    : COLUMNS.filter(({ id }) => id !== "runToRun");
  // With many groups it is listed below instead, and read out there.
  const isShort = comparison.groups.length <= MAX_COLOURED;
  const isCorrected = corrections.some((correction) => correction !== null);
  return (
    <section className="section certainty" aria-label="Uncertainty">
      <h2>Uncertainty</h2>
      <Table
        caption="Uncertainty of each group’s figures"
        columns={[{ id: "group", label: "Group" }, ...(isCorrected ? [CORRECTED] : []), ...columns]}
        compact
      >
        <tbody>
          {comparison.groups.map((group, at) => (
            <tr key={group.id}>
              <td className="name">
                <GroupName group={group} />
              </td>
              {isCorrected ? (
                <td>
                  <Correction correction={corrections[at] ?? null} mean={group.headlineMean} />
                </td>
              ) : null}
              <CertaintyRow
                cells={columns.map(({ id, minor = false }) => {
                  const { value, range, basis } = group.cells[id];
                  return {
                    value,
                    ...(range === null ? {} : { range }),
                    ...(id === "costPerSolve" && group.costNote !== null ? { note: group.costNote } : {}),
                    ...(isShort ? { basis } : {}),
                    ...(minor ? { minor } : {}),
                  };
                })}
              />
            </tr>
          ))}
        </tbody>
      </Table>
      <Methods>
        <dl className="certainty-notes">
          {columns.map(({ id, label }) => (
            <div key={id}>
              <dt>{label}</dt>
              {listBases(comparison.groups, id).map(({ basis, names }) => (
                <dd key={basis}>
                  {names === null ? null : <b>{names}: </b>}
                  {basis}.
                </dd>
              ))}
            </div>
          ))}
        </dl>
      </Methods>
    </section>
  );
}

function listBases(groups: Comparison["groups"], id: CertaintyId) {
  const byBasis = Map.groupBy(groups, ({ cells }) => cells[id].basis);
  return [...byBasis].map(([basis, those]) => ({
    basis,
    names: those.length === groups.length ? null : those.map(({ label }) => label).join(", "),
  }));
}
