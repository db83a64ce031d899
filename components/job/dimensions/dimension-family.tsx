import type { Route } from "next";

import { DISTRIBUTION_WIDTH, DistributionFigure } from "@/components/charts/distribution-figure";
import { AgentName } from "@/components/ui/agent-name";
import { ChartMenu } from "@/components/ui/chart-menu";
import { IntervalScale } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { PartPager } from "@/components/ui/pager";
import { Table, type Column } from "@/components/ui/table";
import {
  findTallest,
  prepareDistribution,
  DISTRIBUTION_BINS,
  type DistributionBin,
} from "@/lib/core/charts/distribution-plot";
import { formatCsvLine } from "@/lib/core/format/csv";
import { formatCount, formatPercent, formatPlural, formatReward, MISSING } from "@/lib/core/format/number";
import { jobTrialsHref, type JobParams } from "@/lib/pages/job/address";
import type { FamilySection } from "@/lib/pages/job/dimensions";
import type { JobPage, JobGroup } from "@/lib/pages/job/page";
import type { DimensionCell } from "@/lib/store/tables";

import { CorrelationTable } from "../correlation-table";

import "./dimension-family.css";
import { formatBounds, CountCell } from "../groups/group-cells";

export function DimensionFamily({
  page,
  section,
  asTable,
  isAlone,
  isOpen,
  partHref,
}: {
  page: JobPage;
  section: FamilySection;
  asTable: boolean;
  isAlone: boolean;
  isOpen: boolean;
  partHref: (from: number) => Route;
}) {
  const { key } = page.job;
  const groups = page.groups.filter(({ group }) => section.groups.some((one) => one.key === group.key));
  const family = isAlone ? null : section.name;
  const table: DimensionTable = {
    section,
    groups,
    caption: isAlone ? "Dimensions by agent" : `Dimensions of ${section.name} by agent`,
    hrefOf: (dimension, groupKey, range) =>
      jobTrialsHref(key, { dimension, family, ...range, groups: groupKey === null ? [] : [groupKey] }),
  };
  const csv = formatFamilyCsv(section, groups);
  return (
    <section
      className="dimension-family"
      id={`family-${section.position}`}
      aria-label={section.name}
      data-chart=""
    >
      <div className="dimension-family-files">
        <ChartMenu name={isAlone ? "distributions" : `distributions of ${section.name}`} csv={csv} />
      </div>
      {isAlone ? null : (
        <div className="section-head">
          <h2>{section.name}</h2>
          <span className="muted">
            {formatPlural(section.nTasks, "task")}, {formatPlural(section.nTrials, "finished trial")}
          </span>
        </div>
      )}
      {asTable ? <DimensionCounts {...table} /> : <DimensionHistograms {...table} />}
      <PartPager
        part={{ from: section.nBefore, shown: section.rows.length, total: section.nMatching }}
        size={section.size}
        noun="dimension"
        label={`Pages of the dimensions of ${section.name}`}
        hrefOf={partHref}
      />
      {section.correlations === null ? null : (
        <CorrelationTable
          matrix={section.correlations}
          of={groups.length === 1 ? (groups[0]?.group.agent ?? "") : "all agents together"}
          isOpen={isOpen}
        />
      )}
    </section>
  );
}

function DimensionHistograms({ section, groups, caption, hrefOf }: DimensionTable) {
  const columns = groups.map(({ group, identity }) => ({
    id: group.key,
    title: group.key,
    label: (
      <span className="dimension-heading">
        <AgentName identity={identity} agent={group.agent} model={group.model} />
        <IntervalScale width={DISTRIBUTION_WIDTH} />
      </span>
    ),
  }));
  return (
    <Table
      caption={caption}
      columns={[{ id: "name", label: "Dimension" }, ...columns]}
      className="dimension-table"
    >
      <tbody>
        {section.rows.map(({ name, cells }) => {
          const tallest = findTallest(cells);
          return (
            <tr key={name}>
              <th scope="row" className="name">
                <Link className="dimension-name" href={hrefOf(name, null)} data-row-link="" title={name}>
                  {name}
                </Link>
              </th>
              {groups.map(({ group, identity }, index) => {
                const cell = cells[index] ?? null;
                const rangeHref = (range?: ShareRange) => hrefOf(name, group.key, range);
                return (
                  <td key={group.key}>
                    {cell === null ? (
                      // No trial has a value for the dimension, so nothing is drawn.
                      <div className="dimension-cell unknown">
                        <span className="dimension-blank">{MISSING}</span>
                        <Link className="quiet" href={rangeHref({ isShareMissing: true })}>
                          {formatCount(section.groups[index]?.nTrials ?? 0)} missing
                        </Link>
                      </div>
                    ) : (
                      <div className="dimension-cell">
                        <DistributionFigure
                          plot={prepareDistribution(cell, tallest)}
                          identity={identity}
                          hrefOf={(bar) => rangeHref(toRange(bar))}
                        />
                        <CellFigures cell={cell} rangeHref={rangeHref} />
                      </div>
                    )}
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

function CellFigures({ cell, rangeHref }: { cell: DimensionCell; rangeHref: RangeHref }) {
  const { mean, bounds, n, nMissing, ends } = cell;
  return (
    <div className="dimension-figures">
      <span className="nowrap">
        <b title={String(mean)}>{formatReward(mean)}</b> <span className="muted">{formatBounds(bounds)}</span>
      </span>
      <span className="caption nowrap">
        <Link className="quiet" href={rangeHref()}>
          {formatPlural(n, "trial")}
        </Link>
        {nMissing === 0 ? null : (
          <>
            ,{" "}
            <Link className="quiet" href={rangeHref({ isShareMissing: true })}>
              {formatCount(nMissing)} missing
            </Link>
          </>
        )}
      </span>
      {ends.isFloor || ends.isCeiling ? (
        <span className="caption nowrap dimension-ends">
          {ends.isFloor ? (
            <Link href={rangeHref({ shareMax: 0 })} title={`${ends.nFloor} of ${n} are exactly 0`}>
              floor {formatPercent(ends.floorShare)}
            </Link>
          ) : null}
          {ends.isCeiling ? (
            <Link href={rangeHref({ shareMin: 1 })} title={`${ends.nCeiling} of ${n} are exactly 1`}>
              ceiling {formatPercent(ends.ceilingShare)}
            </Link>
          ) : null}
        </span>
      ) : null}
    </div>
  );
}

const COLUMNS: readonly Column[] = [
  { id: "name", label: "Dimension" },
  { id: "agent", label: "Agent and model" },
  { id: "mean", label: "Mean", numeric: true },
  { id: "range", label: "95 % interval", numeric: true },
  { id: "trials", label: "Trials", numeric: true },
  { id: "missing", label: "Missing", numeric: true },
  { id: "floor", label: "At 0", numeric: true },
  ...DISTRIBUTION_BINS.map(({ bin, from, to, range }) => ({
    id: `bin ${bin}`,
    label: `${from} to ${to}`,
    title: range,
    numeric: true,
  })),
  { id: "ceiling", label: "At 1", numeric: true },
];

function DimensionCounts({ section, groups, caption, hrefOf }: DimensionTable) {
  return (
    <Table caption={caption} columns={COLUMNS} compact>
      <tbody>
        {section.rows.map((row) =>
          groups.map(({ group, identity }, index) => {
            const cell = row.cells[index] ?? null;
            const nMissing = cell?.nMissing ?? section.groups[index]?.nTrials ?? 0;
            return (
              <tr
                key={`${row.name} ${group.key}`}
                className={index < groups.length - 1 ? "continued" : undefined}
              >
                {index === 0 ? (
                  <th scope="row" className="name">
                    {row.name}
                  </th>
                ) : (
                  <td>
                    <span className="screen-reader">{row.name}</span>
                  </td>
                )}
                <td>
                  <AgentName identity={identity} agent={group.agent} model={group.model} />
                </td>
                <CountCells
                  cell={cell}
                  nMissing={nMissing}
                  rangeHref={(range) => hrefOf(row.name, group.key, range)}
                />
              </tr>
            );
          }),
        )}
      </tbody>
    </Table>
  );
}

function CountCells({
  cell,
  nMissing,
  rangeHref,
}: {
  cell: DimensionCell | null;
  nMissing: number;
  rangeHref: RangeHref;
}) {
  const missing = <CountCell count={nMissing} href={rangeHref({ isShareMissing: true })} />;
  if (cell === null) {
    return (
      <>
        <td className="numeric unknown">{MISSING}</td>
        <td className="numeric unknown">{MISSING}</td>
        <td className="numeric zero">0</td>
        {missing}
        <td className="unknown" colSpan={DISTRIBUTION_BINS.length + 2} />
      </>
    );
  }
  return (
    <>
      <td className="numeric" title={String(cell.mean)}>
        {formatReward(cell.mean)}
      </td>
      <td className="numeric muted">{formatBounds(cell.bounds)}</td>
      <CountCell count={cell.n} href={rangeHref()} />
      {missing}
      <CountCell count={cell.ends.nFloor} href={rangeHref({ shareMax: 0 })} />
      {DISTRIBUTION_BINS.map((bin) => (
        <CountCell key={bin.bin} count={cell.counts[bin.bin] ?? 0} href={rangeHref(toRange(bin))} />
      ))}
      <CountCell count={cell.ends.nCeiling} href={rangeHref({ shareMin: 1 })} />
    </>
  );
}

type ShareRange = Partial<Pick<JobParams, "shareMin" | "shareMax" | "shareBelow" | "isShareMissing">>;

type DimensionHref = (name: string, groupKey: string | null, range?: ShareRange) => Route;

type RangeHref = (range?: ShareRange) => Route;

interface DimensionTable {
  readonly section: FamilySection;
  readonly groups: readonly JobGroup[];
  readonly caption: string;
  readonly hrefOf: DimensionHref;
}

function toRange({ from, to, isClosed }: DistributionBin): ShareRange {
  return isClosed ? { shareMin: from } : { shareMin: from, shareBelow: to };
}

/** Longer data is not embedded in a page; fewer agents or dimensions fit. */
const MOST_CHARACTERS = 60_000;

function formatFamilyCsv(section: FamilySection, groups: readonly JobGroup[]): string | undefined {
  const head = formatCsvLine([
    "dimension",
    "agent",
    "model",
    ...["mean", "low", "high", "n", "n_missing", "n_at_0", "n_at_1"],
    ...DISTRIBUTION_BINS.map(({ from, to }) => `${String(from)} to ${String(to)}`),
  ]);
  const lines = section.rows.flatMap(({ name, cells }) =>
    groups.map(({ group }, at) => {
      const cell = cells[at] ?? null;
      const nTrials = section.groups[at]?.nTrials ?? 0;
      const figures =
        cell === null
          ? [null, null, null, 0, nTrials]
          : [cell.mean, cell.bounds?.low ?? null, cell.bounds?.high ?? null, cell.n, cell.nMissing];
      const ends = cell === null ? [0, 0] : [cell.ends.nFloor, cell.ends.nCeiling];
      const counts = DISTRIBUTION_BINS.map(({ bin }) => cell?.counts[bin] ?? 0);
      return formatCsvLine([name, group.agent, group.model, ...figures, ...ends, ...counts]);
    }),
  );
  const text = [head, ...lines].join("");
  return text.length > MOST_CHARACTERS ? undefined : text;
}
