import type { Route } from "next";

import { DISTRIBUTION_WIDTH, DistributionFigure } from "@/components/charts/distribution-figure";
import { AgentName } from "@/components/ui/agent-name";
import { ChartMenu } from "@/components/ui/chart-menu";
import { IntervalScale } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { PartPager } from "@/components/ui/pager";
import { Table } from "@/components/ui/table";
import { findTallest, prepareDistribution } from "@/lib/core/charts/distribution-plot";
import { formatCount, formatPercent, formatPlural, formatReward, MISSING } from "@/lib/core/format/number";
import { jobTrialsHref } from "@/lib/pages/job/address";
import type { FamilySection } from "@/lib/pages/job/dimensions";
import type { JobPage } from "@/lib/pages/job/page";
import type { DimensionCell } from "@/lib/store/tables";

import { CorrelationTable } from "../correlation-table";
import { formatBounds } from "../groups/group-cells";
import { DimensionCounts } from "./dimension-counts";
import { type DimensionTable, type RangeHref, type ShareRange, toRange } from "./dimension-links";
import { formatFamilyCsv } from "./family-csv";

import "./dimension-family.css";

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
