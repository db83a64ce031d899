import { AgentShape } from "@/components/ui/agent-mark";
import { AgentName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { IntervalScale, percent, PLAIN, StripMark } from "@/components/ui/interval-plot";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { placeInterval } from "@/lib/core/charts/interval-strip";
import { placeOn } from "@/lib/core/charts/ticks";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { RowAgent, VerifierView } from "@/lib/pages/verifier/view";

import "./verifier.css";

type ScoreRow = VerifierView["scores"][number];

const PLOT_WIDTH = 300;
/** Pixels a plot adds around its scale, as in the style sheet of intervals. */
const INSETS = 15;
const SCALE = { low: 0, high: 1 };

export function RowName({ agent }: { agent: RowAgent }) {
  return agent === null ? <b className="verifier-all">All agents</b> : <AgentName {...agent} />;
}

const COLUMNS: readonly DataColumn<ScoreRow>[] = [
  column("Agent and model", ({ agent }) => <RowName agent={agent} />, { isRowHeader: true, phone: "first" }),
  column("Recorded", ({ recorded }) => recorded, {
    numeric: true,
    phone: "labelled",
    title: "Share of trials that the verifier passed",
  }),
  column("Corrected", ({ corrected }) => <b>{corrected}</b>, { numeric: true, phone: "score" }),
  column("95 % interval", ({ margin }) => margin, { numeric: true, className: "muted", phone: "below" }),
  {
    id: "plot",
    header: (
      <>
        <span className="screen-reader">Both scores, on a scale from 0 to 1</span>
        <IntervalScale width={PLOT_WIDTH} />
      </>
    ),
    meta: { className: "interval-cell verifier-plot", phone: "end" },
    cell: (row) => <ScorePlot row={row} />,
  },
  column("Points", ({ points }) => points, { numeric: true, phone: "labelled" }),
  column("Change", ({ change }) => change, { className: "muted", phone: "second" }),
  column(
    "Labels",
    ({ nLabels }) => (
      <>
        {formatCount(nLabels)}
        <span className="verifier-phone"> {nLabels === 1 ? "label" : "labels"}</span>
      </>
    ),
    { numeric: true, phone: "side" },
  ),
];

export function ScoreTable({ rows, nTrials }: { rows: readonly ScoreRow[]; nTrials: number }) {
  return (
    <Section title="Corrected score" note="hollow: recorded, filled: corrected with 95 % interval">
      <DataTable
        caption="Recorded and corrected score of each agent"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
      />
      <p className="caption table-note">
        For these {formatPlural(nTrials, "trial")}, not for new tasks: the interval covers labelling error
        only.
      </p>
    </Section>
  );
}

export function ScorePlot({ row: { agent, drawn } }: { row: Pick<ScoreRow, "agent" | "drawn"> }) {
  const group = agent === null ? PLAIN : { identity: agent.identity };
  const hollow = agent === null ? { identity: 0 } : { identity: agent.identity, variant: 1 };
  if (drawn === null) return <svg className="interval-plot" width={PLOT_WIDTH - INSETS} aria-hidden="true" />;
  return (
    <svg className="interval-plot" width={PLOT_WIDTH - INSETS} role="img">
      <title>{drawn.summary}</title>
      <StripMark interval={placeInterval(drawn, SCALE)} group={group} y={10} />
      <svg className="strip-value verifier-recorded" x={percent(placeOn(drawn.observed, SCALE))} y={10}>
        <AgentShape group={hollow} size={9} />
      </svg>
    </svg>
  );
}
