import { GroupName } from "@/components/ui/agent-name";
import { Methods } from "@/components/ui/methods";
import { type Column, Table } from "@/components/ui/table";
import { MISSING } from "@/lib/format/number";
import { describeCopiedCost } from "@/lib/format/words";
import type { Comparison } from "@/lib/queries/compare/page";
import type { CertaintyCells } from "@/lib/queries/compare/certainty-cells";

import "./certainty-section.css";

const COLUMNS: readonly (Column & { readonly id: keyof CertaintyCells })[] = [
  {
    id: "mean",
    label: "Mean, new tasks",
    numeric: true,
    title: "Every trial has the same weight; the interval is for new tasks like these",
  },
  {
    id: "rerunMean",
    label: "Expected score on a re-run",
    numeric: true,
    title: "Every task has the same weight; the interval is for these tasks run again",
  },
  {
    id: "effectiveN",
    label: "Effective sample size",
    numeric: true,
    minor: true,
    title: "Number of independent trials that would be as informative",
  },
  {
    id: "solveRates",
    label: "Solved every time / sometimes / never",
    numeric: true,
    title: "Tasks with several attempts, by how often they pass",
  },
  {
    id: "consistency",
    label: "Consistency",
    numeric: true,
    title: "How often two attempts at a task have the same result",
  },
  {
    id: "missing",
    label: "Missing rewards",
    numeric: true,
    title: "How many, and the mean if all were 0 or all were 1",
  },
  {
    id: "costPerSolve",
    label: "Cost per solve, $",
    numeric: true,
    title: "Cost of all attempts over those that pass",
  },
];

/** Uncertainty of each group's own figures: both readings of its mean, its consistency, what missing rewards could change. */
export function CertaintySection({ comparison }: { comparison: Comparison }) {
  return (
    <section className="section certainty" aria-label="Uncertainty">
      <h2>Uncertainty</h2>
      <Table
        caption="Uncertainty of each group’s figures"
        columns={[{ id: "group", label: "Group" }, ...COLUMNS]}
        compact
      >
        <tbody>
          {comparison.groups.map((group) => (
            <tr key={group.id}>
              <td className="name">
                <GroupName group={group} />
              </td>
              {COLUMNS.map(({ id, minor = false }) => {
                const { value, range, basis } = group.cells[id];
                const note = id === "costPerSolve" ? describeCopiedCost(group.summary) : null;
                return (
                  <td
                    key={id}
                    className={`numeric${minor ? " minor" : ""}${value === null ? " unknown" : ""}`}
                    title={basis}
                  >
                    {value ?? MISSING}
                    {range === null ? null : <span className="certainty-range">{range}</span>}
                    {note === null ? null : <span className="certainty-range">{note}</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </Table>
      <Methods>
        <div className="certainty-notes">
          {comparison.groups.map((group) => (
            <section key={group.id} aria-label={group.label}>
              <h3>
                <GroupName group={group} />
              </h3>
              <dl>
                {COLUMNS.map(({ id, label }) => (
                  <div key={id}>
                    <dt>{label}</dt>
                    <dd>{group.cells[id].basis}.</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </Methods>
    </section>
  );
}
