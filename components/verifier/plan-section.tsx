import { PlaneFigure } from "@/components/charts/plane-figure";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import { formatCount } from "@/lib/core/format/number";
import type { StrataRow, StratumCell, VerifierView } from "@/lib/pages/verifier/view-types";

import { RowName } from "./score-table";

import "./verifier.css";

const COLUMNS = [
  { id: "agent", label: "Agent" },
  {
    id: "passed",
    label: (
      <span className="status-word">
        <Mark status="passed" />
        Verifier pass
      </span>
    ),
  },
  { id: "passed-next", label: "Next", numeric: true },
  {
    id: "failed",
    label: (
      <span className="status-word">
        <Mark status="failed" />
        Verifier not pass
      </span>
    ),
  },
  { id: "failed-next", label: "Next", numeric: true },
];

export function PlanSection({
  strata,
  chart,
  nNext,
  openWords,
  note,
}: Pick<VerifierView, "strata" | "chart" | "nNext" | "openWords"> & {
  note: string | null;
}) {
  return (
    <div className="verifier-two">
      <Section title="Labels by stratum" note={openWords}>
        <Table caption="Labels by agent and verdict" columns={COLUMNS} className="verifier-strata">
          <tbody>
            {strata.map((row) => (
              <StrataLine key={row.id} row={row} isPlanned={note === null} />
            ))}
          </tbody>
        </Table>
        <p className="caption table-note">
          {note ??
            `Outlined: where the next ${formatCount(nNext)} narrow the corrected score most. Chance chooses the trials inside each stratum.`}
        </p>
      </Section>
      {chart === null ? null : (
        <Section title="What more labels buy" note="all agents">
          <PlaneFigure chart={chart} />
        </Section>
      )}
    </div>
  );
}

function StrataLine({ row, isPlanned }: { row: StrataRow; isPlanned: boolean }) {
  return (
    <tr>
      <th scope="row">
        <RowName agent={row.agent} />
      </th>
      {[row.passed, row.failed].map((cell, at) => (
        <StrataCells
          key={at === 0 ? "passed" : "failed"}
          cell={cell}
          isWhole={row.agent === null}
          isPlanned={isPlanned}
        />
      ))}
    </tr>
  );
}

function StrataCells({
  cell,
  isWhole,
  isPlanned,
}: {
  cell: StratumCell;
  isWhole: boolean;
  isPlanned: boolean;
}) {
  const { nLabels, nTrials, nNext, bar } = cell;
  const width = (share: number) => `${(share * 100).toFixed(2)}%`;
  return (
    <>
      <td>
        <span className="verifier-stratum">
          <span>
            {formatCount(nLabels)} <span className="muted">of {formatCount(nTrials)}</span>
          </span>
          {isWhole ? null : (
            <span className="verifier-bar" aria-hidden="true">
              <span className="verifier-bar-labelled" style={{ width: width(bar.labelled) }} />
              {!isPlanned || nNext === 0 ? null : (
                <span className="verifier-bar-next" style={{ width: width(bar.next) }} />
              )}
            </span>
          )}
        </span>
      </td>
      <td className={`numeric${nNext === 0 || !isPlanned ? " zero" : ""}`}>
        {!isPlanned ? "" : nNext === 0 ? "0" : <b>+{formatCount(nNext)}</b>}
      </td>
    </>
  );
}
