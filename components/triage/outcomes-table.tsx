import { Segment } from "@/components/compare/segment";
import { AgentName } from "@/components/ui/agent-name";
import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Table } from "@/components/ui/table";
import { Count } from "@/components/ui/values";
import { formatCount, formatPercent, formatRange } from "@/lib/core/format/number";
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
        Use the filters above to find the rest.
      </CutNote>
      <Table
        className="outcomes"
        caption={`Outcomes by ${ROW_WORDS[params.rows].toLowerCase()}`}
        columns={[
          { id: "name", label: ROW_WORDS[params.rows] },
          { id: "trials", label: "Trials", numeric: true },
          { id: "bar", label: "Share of trials", minor: true },
          { id: "passed", label: <Legend owner={null} />, numeric: true },
          ...owners.map((owner) => ({ id: owner, label: <Legend owner={owner} />, numeric: true })),
          ...(isOfOne ? [{ id: "rate", label: "Pass rate", numeric: true }] : []),
        ]}
      >
        <tbody>
          {shown.map((row) => (
            <tr key={row.value}>
              <td className="name">
                <RowName row={row} params={params} />
              </td>
              <td className="numeric">{formatCount(row.nTrials)}</td>
              <td className="minor">
                <OutcomeBar row={row} />
              </td>
              <td className="numeric">{formatCount(row.nPassed)}</td>
              {owners.map((owner) => (
                <td key={owner} className="numeric">
                  <Count value={row.byOwner.get(owner) ?? 0} />
                </td>
              ))}
              {isOfOne ? (
                <td className="numeric" title={describePassed(row)}>
                  {row.passed.kind === "computed" ? formatPercent(row.passed.rate) : "—"}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}

function describePassed({ passed }: OutcomeRow): string {
  if (passed.kind === "unavailable") return "No finished trial";
  return `${formatCount(passed.count)} of ${formatCount(passed.n)}, 95 % ${formatRange(passed, formatPercent)}, Wilson`;
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
