import { DataTable } from "@/components/ui/data-table";
import { Mark } from "@/components/ui/mark";
import { column } from "@/components/ui/table-columns";
import { capitalise } from "@/lib/core/format/words";
import type { CompareParams } from "@/lib/pages/compare/address";
import type { Comparison } from "@/lib/pages/compare/page";

import { MixedSettings } from "./compare-notices";
import { STATE_MARKS } from "./run-sets";

import "./conditions-section.css";

type Check = Comparison["checks"][number];

const ORDER = { differs: 0, unknown: 1, same: 2 } as const;
const WORDS = { differs: "differs", unknown: "not recorded", same: "same" } as const;

function listConditions({ checks, groups }: Pick<Comparison, "checks" | "groups">) {
  const ofGroups = groups.flatMap(({ id, label, runChecks }) =>
    runChecks.map((check) => ({ ...check, id, within: `Runs of ${label}` })),
  );
  return [...checks.map((check) => ({ ...check, id: "", within: "Between the groups" })), ...ofGroups];
}

export function countDifferences(comparison: Pick<Comparison, "checks" | "groups">): number {
  return listConditions(comparison).filter(({ state }) => state === "differs").length;
}

export function ConditionsSection({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const sets = comparison.groups.some(({ runChecks }) => runChecks.length > 0);
  const rows = [...Map.groupBy(listConditions(comparison), ({ within }) => within).values()].flatMap((own) =>
    own.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]),
  );
  return (
    <section aria-label="Conditions">
      <MixedSettings groups={comparison.groups} params={params} />
      <DataTable<(typeof rows)[number]>
        caption="Conditions of the comparison"
        className="conditions"
        columns={[
          column("Condition", ({ name }) => capitalise(name), { isRowHeader: true, width: 240 }),
          column("Values", ({ detail }) => detail, { className: "wrap" }),
          column("Difference", ({ state }: Check) => (
            <span className={state === "same" ? "row muted" : "row"}>
              {state === "same" ? null : <Mark status={STATE_MARKS[state]} />}
              {WORDS[state]}
            </span>
          )),
        ]}
        rows={rows}
        rowKey={({ id, name }) => `${id} ${name}`}
        rowClass={({ state }) => (state === "differs" ? "condition-differs" : undefined)}
        heading={({ within }, at) => (sets && within !== rows[at - 1]?.within ? within : null)}
      />
    </section>
  );
}
