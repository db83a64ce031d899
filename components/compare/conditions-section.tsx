import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { column } from "@/components/ui/table-columns";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { formatDifference } from "@/lib/core/format/agent-settings";
import { capitalise } from "@/lib/core/format/words";
import { groupRef } from "@/lib/pages/address/href";
import { compareParamsHref, type CompareParams, listRunSets } from "@/lib/pages/compare/address";
import type { Comparison, FoundGroup, Run } from "@/lib/pages/compare/page";

import { STATE_MARKS } from "./run-sets";

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

function MixedSettings({ groups, params }: { groups: readonly FoundGroup[]; params: CompareParams }) {
  const mixed = groups.flatMap(({ label, runs }) =>
    runs.flatMap((run) => (run.summary.setups === null ? [] : { run, setups: run.summary.setups, label })),
  );
  if (mixed.length === 0) return null;
  return (
    <ul className="mixed-settings">
      {mixed.map(({ run, setups, label }) => (
        <li key={run.ref}>
          <b>{label}</b> mixes agent settings: {setups.differences.map(formatDifference).join("; ")}.{" "}
          <SplitLink run={run} setups={setups} params={params} />
        </li>
      ))}
    </ul>
  );
}

function SplitLink({
  run,
  setups,
  params,
}: {
  run: Run;
  setups: NonNullable<Run["summary"]["setups"]>;
  params: CompareParams;
}) {
  const parts = setups.parts.map(({ summary }) => groupRef(run.job.key, summary.group.key));
  const refs = params.refs.flatMap((ref) => (ref === run.ref ? parts : ref));
  // The parts of a run set would be joined again.
  if (!params.refs.includes(run.ref) || parts.length === 0 || listRunSets(refs).length > MAX_GROUPS)
    return <span className="muted">It cannot be split here.</span>;
  return <Link href={compareParamsHref(params, { refs })}>Split by setting</Link>;
}
