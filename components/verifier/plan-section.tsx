import { PlaneFigure } from "@/components/charts/plane-figure";
import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { formatCount } from "@/lib/core/format/number";
import type { VerifierView } from "@/lib/pages/verifier/view";

import { RowName } from "./score-table";
import { VerdictHeading } from "./verdict-section";

import "./verifier.css";

type StrataRow = VerifierView["strata"][number];

function listColumns(isPlanned: boolean): readonly DataColumn<StrataRow>[] {
  const columns = (verdict: "passed" | "failed", words: string): readonly DataColumn<StrataRow>[] => [
    {
      id: verdict,
      header: <VerdictHeading status={verdict} words={words} />,
      cell: ({ agent, [verdict]: cell }) => (
        <Stratum cell={cell} isWhole={agent === null} isPlanned={isPlanned} />
      ),
    },
    {
      id: `${verdict}-next`,
      header: "Next",
      meta: { numeric: true },
      cell: ({ [verdict]: { nNext } }) => {
        if (!isPlanned) return "";
        return nNext === 0 ? <span className="zero">0</span> : <b>+{formatCount(nNext)}</b>;
      },
    },
  ];
  return [
    column("Agent", ({ agent }) => <RowName agent={agent} />, { isRowHeader: true }),
    ...columns("passed", "Verifier pass"),
    ...columns("failed", "Verifier not pass"),
  ];
}

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
        <DataTable
          caption="Labels by agent and verdict"
          className="verifier-strata"
          columns={listColumns(note === null)}
          rows={strata}
          rowKey={({ id }) => id}
        />
        <p className="caption table-note">
          {note ??
            `Outlined: where the next ${formatCount(nNext)} narrow the corrected score most. Trials within a stratum are chosen at random.`}
        </p>
      </Section>
      {chart === null ? null : (
        <Section title="Effect of more labels" note="all agents">
          <PlaneFigure chart={chart} />
        </Section>
      )}
    </div>
  );
}

function Stratum({
  cell: { nLabels, nTrials, nNext, bar },
  isWhole,
  isPlanned,
}: {
  cell: StrataRow["passed"];
  isWhole: boolean;
  isPlanned: boolean;
}) {
  const width = (share: number) => `${(share * 100).toFixed(2)}%`;
  return (
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
  );
}
