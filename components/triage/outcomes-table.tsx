import { Segment } from "@/components/compare/segment";
import { AgentName } from "@/components/ui/agent-name";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { formatCount, formatPercent, formatRange, MISSING } from "@/lib/core/format/number";
import { OWNERS, OWNER_WORDS, type Owner } from "@/lib/core/triage/classes";
import { TRIAGE_ROWS, triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { OutcomeRow } from "@/lib/pages/triage/outcomes";
import type { TriagePage } from "@/lib/pages/triage/page";

const ROW_WORDS = { agent: "Agent", job: "Job", family: "Task family" } as const;
const MOST_ROWS = 24;

export function OutcomeRows({ params }: { params: TriageParams }) {
  return (
    <Segment
      label="List by"
      value={params.rows}
      options={TRIAGE_ROWS.map((value) => ({ value, label: ROW_WORDS[value] }))}
      hrefOf={(rows) => triageHref(params, { rows })}
    />
  );
}

/** Jobs are oldest first, so that the table reads as a trend. */
export function OutcomesTable({ page, params }: { page: TriagePage; params: TriageParams }) {
  const rows = page.outcomes;
  const isOfOne = page.scope.datasets.size < 2;
  // Keeps the newest jobs, which come last.
  const shown = params.rows === "job" ? rows.slice(-MOST_ROWS) : rows.slice(0, MOST_ROWS);
  const owners = OWNERS.filter((owner) => rows.some(({ byOwner }) => (byOwner.get(owner) ?? 0) > 0));
  return (
    <>
      <CutNote shown={shown.length} total={rows.length}>
        Filter to find the rest.
      </CutNote>
      <DataTable<OutcomeRow>
        className="outcomes"
        caption={`Outcomes by ${ROW_WORDS[params.rows].toLowerCase()}`}
        columns={[
          column(ROW_WORDS[params.rows], (row) => <RowName row={row} params={params} />, {
            className: "name",
          }),
          column("Trials", ({ nTrials }) => formatCount(nTrials), { numeric: true }),
          column("Share of trials", (row) => <OutcomeBar row={row} />, { room: "minor" }),
          legendColumn(null, ({ nPassed }) => formatCount(nPassed)),
          ...owners.map((owner) =>
            legendColumn(owner, ({ byOwner }) => <Count value={byOwner.get(owner) ?? 0} />),
          ),
          ...(isOfOne ? [RATE] : []),
        ]}
        rows={shown}
        rowKey={({ value }) => value}
      />
    </>
  );
}

function describePassed({ passed }: OutcomeRow): string {
  if (passed.kind === "unavailable") return "No finished trial";
  return `${formatCount(passed.count)} of ${formatCount(passed.n)}, 95 % ${formatRange(passed, formatPercent)}, Wilson`;
}

const RATE: DataColumn<OutcomeRow> = column(
  "Pass rate",
  ({ passed }) => (passed.kind === "computed" ? formatPercent(passed.rate) : MISSING),
  { numeric: true },
  (row) => ({ title: describePassed(row) }),
);

function legendColumn(owner: Owner | null, cell: DataColumn<OutcomeRow>["cell"]): DataColumn<OutcomeRow> {
  return { id: owner ?? "passed", header: <Legend owner={owner} />, meta: { numeric: true }, cell };
}

function Legend({ owner }: { owner: Owner | null }) {
  return (
    <span className="outcome-legend">
      <span className="outcome-swatch" data-owner={owner ?? "passed"} />
      {owner === null ? "Passed" : OWNER_WORDS[owner]}
    </span>
  );
}

function RowName({ row, params }: { row: OutcomeRow; params: TriageParams }) {
  if (row.agentModel !== null)
    return (
      <Link href={triageHref(params, { agents: [row.value] })} className="quiet">
        <AgentName {...row.agentModel} />
      </Link>
    );
  if (params.rows === "job") return <Link href={triageHref(params, { jobs: [row.value] })}>{row.label}</Link>;
  return row.label;
}

function OutcomeBar({ row }: { row: OutcomeRow }) {
  const parts = [
    ["passed", row.nPassed] as const,
    ...OWNERS.map((owner) => [owner, row.byOwner.get(owner) ?? 0] as const),
  ];
  const said = parts.filter(([, n]) => n > 0);
  const words = said.map(
    ([owner, n]) => `${formatCount(n)} ${owner === "passed" ? "passed" : OWNER_WORDS[owner].toLowerCase()}`,
  );
  return (
    <div className="outcome-bar" role="img" aria-label={words.join(", ")}>
      {said.map(([owner, n]) => (
        <span key={owner} data-owner={owner} style={{ flexGrow: n }} />
      ))}
    </div>
  );
}
