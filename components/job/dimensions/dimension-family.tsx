import type { Route } from "next";

import { DISTRIBUTION_WIDTH, DistributionFigure } from "@/components/charts/distribution-figure";
import { AgentName } from "@/components/ui/agent-name";
import { ChartMenu } from "@/components/ui/chart-menu";
import { DataTable } from "@/components/ui/data-table";
import { IntervalScale } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { PartPager } from "@/components/ui/pager";
import { column, type DataColumn } from "@/components/ui/table-columns";
import type { CorrelationCell, CorrelationMatrix } from "@/lib/core/charts/correlation-matrix";
import {
  findTallest,
  prepareDistribution,
  DISTRIBUTION_BINS,
  type DistributionBin,
} from "@/lib/core/charts/distribution-plot";
import { formatCsvLine } from "@/lib/core/format/csv";
import { formatCount, formatPercent, formatPlural, formatReward, MISSING } from "@/lib/core/format/number";
import type { DimensionRow, FamilySection } from "@/lib/pages/job/dimensions";
import type { JobPage, JobGroup } from "@/lib/pages/job/page";
import { trialsPageHref, type TrialsParams } from "@/lib/pages/trials/address";
import type { DimensionCell } from "@/lib/store/tables";

import { formatBounds } from "../group-cells";

import "./dimension-family.css";

interface FamilyProps {
  readonly page: JobPage;
  readonly section: FamilySection;
  readonly isAlone: boolean;
  readonly isOpen: boolean;
  readonly partHref: (from: number) => Route;
}

export function DimensionFamily({ page, section, isAlone, isOpen, partHref }: FamilyProps) {
  const { key } = page.job;
  const groups = page.groups.filter(({ group }) => section.groups.some((one) => one.key === group.key));
  const family = isAlone ? null : section.name;
  const table: DimensionTable = {
    section,
    groups,
    caption: isAlone ? "Dimensions by agent" : `Dimensions of ${section.name} by agent`,
    hrefOf: (dimension, groupKey, range) =>
      trialsPageHref(key, { dimension, family, ...range, groups: groupKey === null ? [] : [groupKey] }),
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
      <DimensionHistograms {...table} />
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
  const columns: readonly DataColumn<DimensionRow>[] = [
    column(
      "Dimension",
      ({ name }) => (
        <Link className="cut dimension-name" href={hrefOf(name, null)} data-row-link="" title={name}>
          {name}
        </Link>
      ),
      { className: "name", isRowHeader: true },
    ),
    ...groups.map(({ group, identity }, at): DataColumn<DimensionRow> => ({
      id: group.key,
      header: (
        <span className="dimension-heading">
          <AgentName identity={identity} agent={group.agent} model={group.model} />
          <IntervalScale width={DISTRIBUTION_WIDTH} />
        </span>
      ),
      meta: { title: group.key },
      cell: ({ name, cells }) => {
        const cell = cells[at] ?? null;
        const rangeHref = (range?: ShareRange) => hrefOf(name, group.key, range);
        // No trial has a value for the dimension, so nothing is drawn.
        if (cell === null)
          return (
            <div className="row dimension-cell unknown">
              <span className="dimension-blank">{MISSING}</span>
              <Link className="quiet" href={rangeHref({ isShareMissing: true })}>
                {formatCount(section.groups[at]?.nTrials ?? 0)} missing
              </Link>
            </div>
          );
        return (
          <div className="row dimension-cell">
            <DistributionFigure
              plot={prepareDistribution(cell, findTallest(cells))}
              identity={identity}
              hrefOf={(bar) => rangeHref(toRange(bar))}
            />
            <CellFigures cell={cell} rangeHref={rangeHref} />
          </div>
        );
      },
    })),
  ];
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={section.rows}
      rowKey={({ name }) => name}
      className="dimension-table"
    />
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

type ShareRange = Partial<Pick<TrialsParams, "shareMin" | "shareMax" | "shareBelow" | "isShareMissing">>;

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
    ..."dimension agent model mean low high n n_missing n_at_0 n_at_1".split(" "),
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

function CorrelationTable({
  matrix,
  of,
  isOpen,
}: {
  matrix: CorrelationMatrix;
  of: string;
  isOpen: boolean;
}) {
  const { names, rows, usualN, reasons } = matrix;
  return (
    <details className="correlation" open={isOpen}>
      <summary>
        Correlations <span className="muted">of {of}</span>
      </summary>
      <div className="table-scroll" role="group" aria-label="Correlations" tabIndex={0}>
        <table className="correlation-table">
          <caption className="screen-reader">Correlations of {of}, each pair once</caption>
          <thead>
            <tr>
              <td />
              {names.slice(0, -1).map((name, index) => (
                <th key={name} scope="col" title={name}>
                  {index + 1}
                  <span className="screen-reader"> {name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, index) => (
              <tr key={index}>
                <th scope="row">
                  <span className="muted">{index + 1}</span> {names[index]}
                </th>
                {cells.map((cell, other) => (
                  <CorrelatedCell key={other} cell={cell} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption table-note">
        Pearson&rsquo;s r over the {formatPlural(usualN, "trial")} that report both dimensions, or over n if a
        cell shows one.{" "}
        {reasons.map(({ words, count }) => `${MISSING} in ${formatPlural(count, "pair")}: ${words}. `)}
      </p>
    </details>
  );
}

function CorrelatedCell({ cell }: { cell: CorrelationCell }) {
  return (
    <td className={cell.text === null ? "unknown" : `correlation-${cell.strength}`} title={cell.title}>
      {cell.text ?? MISSING}
      {cell.n === null ? null : <small className="caption">n {formatCount(cell.n)}</small>}
    </td>
  );
}
