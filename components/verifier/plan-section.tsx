import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import type { PlacedPoint, PlanChart } from "@/lib/core/charts/plan-chart";
import { formatCount, formatSize } from "@/lib/core/format/number";
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
        <Section title="What more labels buy" note="all agents, half the 95 % interval in points">
          <PlanFigure chart={chart} />
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

const PLOT = { left: 40, top: 12, width: 280, height: 128 } as const;
const SIZE = { width: 340, height: 186 } as const;

const toX = (share: number) => PLOT.left + share * PLOT.width;
const toY = (share: number) => PLOT.top + share * PLOT.height;

function drawLine(points: readonly PlacedPoint[]): string {
  return points
    .map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${toX(x).toFixed(1)} ${toY(y).toFixed(1)}`)
    .join("");
}

const write = ({ halfWidth }: PlacedPoint) => formatSize(halfWidth, true);

export function PlanFigure({ chart }: { chart: PlanChart }) {
  const { planned, anyOrder, next, xTicks, yTicks } = chart;
  const [first] = planned;
  const last = planned.at(-1);
  return (
    <svg
      className="verifier-plan"
      width={SIZE.width}
      height={SIZE.height}
      viewBox={`0 0 ${String(SIZE.width)} ${String(SIZE.height)}`}
      role="img"
      aria-label={describeChart(chart)}
    >
      {yTicks.map(({ value, label, at }) => (
        <g key={value}>
          <path className="verifier-grid" d={`M${PLOT.left} ${toY(at).toFixed(1)}h${PLOT.width}`} />
          <text x={PLOT.left - 6} y={toY(at) + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {xTicks.map(({ value, label, at }) => (
        <text key={value} x={toX(at)} y={PLOT.top + PLOT.height + 17} textAnchor="middle">
          {label}
        </text>
      ))}
      <text x={PLOT.left + PLOT.width / 2} y={SIZE.height - 6} textAnchor="middle">
        further labels
      </text>
      <path className="verifier-any" d={drawLine(anyOrder)} />
      <path className="verifier-planned" d={drawLine(planned)} />
      {next === null ? null : (
        <path className="verifier-next" d={`M${toX(next.x).toFixed(1)} ${PLOT.top}v${PLOT.height}`} />
      )}
      {[first, next, last].map((point) =>
        point === undefined || point === null ? null : (
          <g key={point.nLabels}>
            <circle className="verifier-dot" cx={toX(point.x)} cy={toY(point.y)} r={3.5} />
            <text
              className="verifier-value"
              x={toX(point.x) + (point === last ? -4 : 7)}
              y={toY(point.y) - 7}
              textAnchor={point === last ? "end" : "start"}
            >
              {write(point)}
            </text>
          </g>
        ),
      )}
    </svg>
  );
}

function describeChart({ planned, next }: PlanChart): string {
  const [first] = planned;
  const last = planned.at(-1);
  const parts = [first, next, last].flatMap((point) =>
    point === undefined || point === null
      ? []
      : [
          `${write(point)} points ${point.nLabels === 0 ? "now" : `after ${formatCount(point.nLabels)} more labels`}`,
        ],
  );
  return `Half the 95 % interval of the corrected score: ${[...new Set(parts)].join(", ")}`;
}
