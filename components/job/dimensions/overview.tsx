import type { Route } from "next";
import type { ReactNode } from "react";

import { ShareRow, ShareScale } from "@/components/charts/share-rows";
import { DifferenceScale, DifferenceStrip } from "@/components/charts/strips";
import { AgentName } from "@/components/ui/agent-name";
import { ChartMenu } from "@/components/ui/chart-menu";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { placeInterval } from "@/lib/core/charts/interval-strip";
import { formatCsvLine } from "@/lib/core/format/csv";
import {
  describeMean,
  formatCount,
  formatDifference,
  formatDifferenceRange,
  formatPlural,
  formatReward,
  MISSING,
} from "@/lib/core/format/number";
import type { DimensionsParams } from "@/lib/pages/job/address";
import type { DimensionOverview, OverviewRow } from "@/lib/pages/job/dimension-overview";
import type { DimensionSet } from "@/lib/pages/job/dimension-sides";
import type { JobPage } from "@/lib/pages/job/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { describeOverview, formatShare, nameGroup, type OverviewGroup } from "./overview-words";

import "./overview.css";

interface OverviewProps {
  readonly page: JobPage;
  readonly overview: DimensionOverview;
  readonly pooled: DimensionSet | null;
  readonly params: DimensionsParams;
}

export function DimensionsOverview({ page, overview, pooled, params }: OverviewProps) {
  const jobKey = pooled === null ? page.job.key : null;
  const groups: readonly OverviewGroup[] =
    pooled === null
      ? overview.groups.flatMap((key) => page.groups.find(({ group }) => group.key === key) ?? [])
      : [{ group: { key: pooled.key, agent: pooled.name, model: null }, identity: pooled.identity }];
  const nameOf = (key: string) => nameGroup(groups, key);
  const words = describeOverview(overview, nameOf);
  const { rows, single, unscaled } = overview;
  return (
    <section className="section dimension-overview" aria-label="Dimensions, worst first" data-chart="">
      {words === null ? null : <DimensionAnswer {...words} />}
      <div className="row dimension-overview-head">
        <h2>Dimensions, worst first</h2>
        <span className="dimension-overview-actions">
          <ChartMenu name="dimensions" csv={formatOverviewCsv(overview, groups)} />
        </span>
      </div>
      <OverviewTable
        caption="Dimensions, worst first"
        rows={overview.reward === null ? rows : [overview.reward, ...rows]}
        {...{ jobKey, overview, params, groups }}
      />
      <OverviewNotes overview={overview} />
      {unscaled.length === 0 ? null : (
        <p className="caption">
          Not on a scale from 0 to 1: <span className="dimension-unscaled">{unscaled.join(", ")}</span>. See
          the columns of the groups above.
        </p>
      )}
      {single.length === 0 ? null : (
        <details className="dimension-single">
          <summary>
            {formatPlural(single.length, "dimension")} of one task each{" "}
            <span className="muted">nothing to pool</span>
          </summary>
          <OverviewTable
            caption="Dimensions of one task each"
            rows={single}
            {...{ jobKey, overview, params, groups }}
          />
        </details>
      )}
    </section>
  );
}

export function DimensionAnswer({ head, rest }: { head: string; rest: string | null }) {
  return (
    <div className="dimension-answer">
      <p>
        <b>{head}</b>
      </p>
      {rest === null ? null : <p>{rest}</p>}
    </div>
  );
}

function OverviewNotes({ overview: { rows, nHidden, nLeftOut, pair } }: { overview: DimensionOverview }) {
  const nMissing = rows.reduce((sum, row) => sum + row.nMissing, 0);
  const hasLoss = rows.some(({ lossShare }) => lossShare !== null);
  return (
    <>
      <p className="caption table-note">
        Mean with its 95 % interval over tasks with the dimension.{" "}
        {nMissing === 0 ? "" : `${formatPlural(nMissing, "value")} missing, left out. `}
        {nHidden === 0 ? "" : `${formatPlural(nHidden, "agent")} not shown: filter by agent. `}
        {nLeftOut === 0 ? "" : `${formatPlural(nLeftOut, "dimension")} more are with their families below. `}
        {pair === null ? "" : "Bold: a clear difference."}
      </p>
      <Methods>
        <p>
          Dimensions and reward keys with the same name are pooled over tasks. Finished trials, clustered by
          task; each task&rsquo;s own dimensions are below. Sorted by the mean of the agents&rsquo; means.
          Missing rewards count as in the groups above.
        </p>
        {pair === null ? null : (
          <p>
            Differences are in points, paired by task, with 95 % intervals that hold jointly for all
            dimensions (Bonferroni).
          </p>
        )}
        {hasLoss ? (
          <p>
            Share of loss: part of the gap between the rewards and 1. Known, because every reward is the
            weighted mean of its dimensions.
          </p>
        ) : (
          <p>No share of loss: rewards are not known to be the weighted mean of their dimensions.</p>
        )}
      </Methods>
    </>
  );
}

const CSV_HEAD = formatCsvLine(
  `kind dimension n_tasks agent model mean low high n n_missing share_of_loss minus difference difference_low
  difference_high comparisons`.split(/\s+/),
);

function formatOverviewCsv(overview: DimensionOverview, groups: readonly OverviewGroup[]): string {
  const { reward, rows, pair } = overview;
  const lines = [...(reward === null ? [] : [reward]), ...rows].flatMap((row) =>
    groups.map(({ group: { key, agent, model } }, at) => {
      const difference = pair?.[0] === key ? row.difference : null;
      return formatCsvLine([
        ...[row.kind, row.name, row.nTasks, agent, model],
        ...listMean(row.cells[at] ?? null),
        ...[row.lossShare, ...listDifference(difference, pair?.[1] ?? "")],
      ]);
    }),
  );
  return [CSV_HEAD, ...lines].join("");
}

function listMean(cell: OverviewRow["cells"][number]): readonly (number | null)[] {
  if (cell === null) return [null, null, null, 0, null];
  const { mean, bounds, n, nMissing } = cell;
  return [mean, ...(bounds.kind === "computed" ? [bounds.low, bounds.high] : [null, null]), n, nMissing];
}

function listDifference(difference: OverviewRow["difference"], minus: string) {
  if (difference === null) return [null, null, null, null, null];
  return [minus, difference.difference, ...listBounds(difference)];
}

/** Cells of a file: the interval of a difference, and how many hold jointly. */
export function listBounds({ bounds }: NonNullable<OverviewRow["difference"]>) {
  return bounds.kind === "computed" ? [bounds.low, bounds.high, bounds.nComparisons] : [null, null, null];
}

interface TableProps {
  readonly jobKey: string | null;
  readonly overview: DimensionOverview;
  readonly params: DimensionsParams;
  readonly groups: readonly OverviewGroup[];
  readonly rows: readonly OverviewRow[];
  readonly caption: string;
}

/** The name of a dimension, and its tasks. */
export function nameColumns<Row extends NamedRow>(
  rows: readonly Row[],
  hrefOf: (row: Row) => Route | null,
  [ofOne, ofSeveral]: readonly [string, string] = ["Task", "Tasks"],
): readonly [DataColumn<Row>, DataColumn<Row>] {
  const isByTask = rows.some(({ task }) => task !== null);
  return [
    column(
      "Dimension",
      (row) => (
        <>
          <TrialsLink href={hrefOf(row)}>
            <span className="cut dimension-name" title={row.name}>
              {row.name}
            </span>
          </TrialsLink>
          {KIND_WORDS[row.kind] === null ? null : <span className="caption">{KIND_WORDS[row.kind]}</span>}
        </>
      ),
      { className: "name", isRowHeader: true },
    ),
    column(
      isByTask ? ofOne : ofSeveral,
      ({ task, nTasks }) => {
        if (task !== null) return <span title={task}>{task}</span>;
        return isByTask ? formatPlural(nTasks, "task") : formatCount(nTasks);
      },
      { numeric: !isByTask, room: "minor", className: isByTask ? "cut dimension-task" : "" },
    ),
  ];
}

function listColumns({
  jobKey,
  overview: { pair, scale },
  groups,
  params,
  rows,
}: TableProps): readonly DataColumn<OverviewRow>[] {
  const hrefOf = ({ kind, name }: OverviewRow, shareBelow: number | null = null) =>
    kind === "dimension" && jobKey !== null
      ? trialsPageHref(jobKey, { dimension: name, groups: params.groups, shareBelow })
      : null;
  const plot: DataColumn<OverviewRow> = {
    id: "plot",
    header: (
      <Drawn what="Means with intervals">
        <ShareScale />
      </Drawn>
    ),
    cell: (row) => (
      <ShareRow marks={listMarks(row, groups)} nLines={groups.length} title={describeRow(row, groups)} />
    ),
  };
  return [
    ...nameColumns(rows, hrefOf),
    plot,
    ...groups.map(({ group, identity }, at): DataColumn<OverviewRow> => ({
      id: `mean ${group.key}`,
      header: <AgentName identity={identity} agent={group.agent} model={group.model} />,
      meta: { numeric: true, title: group.key, className: "nowrap" },
      cell: ({ cells }) => <Mean cell={cells[at] ?? null} />,
    })),
    ...(pair === null || scale === null ? [] : [differencePlot<OverviewRow>(scale, "minor")]),
    ...(pair === null
      ? []
      : [
          differenceColumn(
            `${nameGroup(groups, pair[0])} minus ${nameGroup(groups, pair[1])}, in points, paired by task`,
          ),
        ]),
    {
      id: "loss",
      header: "Share of loss",
      meta: { numeric: true, room: "minor" },
      isFilled: ({ lossShare }) => lossShare !== null,
      cell: ({ kind, lossShare }) => (kind === "reward" ? MISSING : formatShare(lossShare)),
    },
    column(
      "Below 1",
      (row) => (
        <TrialsLink href={row.nBelow > 0 ? hrefOf(row, 1) : null}>
          {formatCount(row.nBelow)} <span className="muted">of {formatCount(row.n)}</span>
        </TrialsLink>
      ),
      { numeric: true, title: "Trials with a value below 1", className: "nowrap" },
    ),
  ];
}

function Drawn({ what, children }: { what: string; children: ReactNode }) {
  return (
    <>
      <span className="screen-reader">{what}</span>
      {children}
    </>
  );
}

function OverviewTable(props: TableProps) {
  return <DimensionsTable caption={props.caption} columns={listColumns(props)} rows={props.rows} />;
}

/** A table of dimensions, with the reward and its keys before them. */
export function DimensionsTable<Row extends NamedRow>(
  props: Pick<Parameters<typeof DataTable<Row>>[0], "caption" | "columns" | "rows">,
) {
  return (
    <DataTable
      {...props}
      className="dimension-overview-table"
      rowKey={({ kind, name }) => `${kind} ${name}`}
      rowClass={({ kind }) => (kind === "reward" ? "dimension-total" : undefined)}
    />
  );
}

const KIND_WORDS = { reward: "headline", "reward-key": "reward key", dimension: null } as const;

interface NamedRow extends Pick<OverviewRow, "kind" | "name" | "task" | "nTasks"> {
  readonly difference: OverviewRow["difference"];
}

function TrialsLink({ href, children }: { href: Route | null; children: ReactNode }) {
  return href === null ? children : <Link href={href}>{children}</Link>;
}

function listMarks(row: OverviewRow, groups: readonly OverviewGroup[]) {
  return groups.map(({ identity }, at) => {
    const cell = row.cells[at] ?? null;
    if (cell === null) return null;
    const { bounds } = cell;
    const [low, high] = bounds.kind === "computed" ? [bounds.low, bounds.high] : [null, null];
    return { group: { identity }, value: cell.mean, low, high };
  });
}

function describeRow(row: OverviewRow, groups: readonly OverviewGroup[]): string {
  const parts = groups.map(({ group }, at) => {
    const cell = row.cells[at] ?? null;
    const name = nameGroup(groups, group.key);
    if (cell === null) return `${name} ${MISSING}`;
    return `${name} ${describeMean(cell.mean, cell.bounds.kind === "computed" ? cell.bounds : null)}`;
  });
  return `${row.name}: ${parts.join("; ")}`;
}

function Mean({ cell }: { cell: OverviewRow["cells"][number] }) {
  if (cell === null) return <Unknown />;
  const bounds = cell.bounds.kind === "computed" ? cell.bounds : null;
  const { n, nMissing } = cell;
  const title = `${describeMean(cell.mean, bounds)}, ${formatPlural(n, "trial")}${nMissing > 0 ? `, ${formatCount(nMissing)} missing` : ""}`;
  return <span title={title}>{formatReward(cell.mean, 2)}</span>;
}

export function differencePlot<Row extends NamedRow>(
  { ticks, domain }: NonNullable<DimensionOverview["scale"]>,
  room?: "minor",
): DataColumn<Row> {
  return {
    id: "difference-plot",
    header: (
      <Drawn what="Difference, drawn">
        <DifferenceScale ticks={ticks} />
      </Drawn>
    ),
    meta: { width: 124, ...(room === undefined ? {} : { room }) },
    cell: ({ name, difference }) => {
      if (difference === null) return null;
      const { difference: value, bounds } = difference;
      const { low, high } = bounds.kind === "computed" ? bounds : { low: null, high: null };
      return (
        <DifferenceStrip
          ticks={ticks}
          interval={placeInterval({ value, low, high }, domain)}
          title={`${name}: difference ${formatDifference(value, true)} points`}
        />
      );
    },
  };
}

export function differenceColumn<Row extends NamedRow>(title: string): DataColumn<Row> {
  return column(
    "Difference",
    ({ difference }) => {
      if (difference === null) return <Unknown />;
      const { bounds, verdict, nTasks } = difference;
      const isClear = verdict === "first-better" || verdict === "second-better";
      const text = formatDifference(difference.difference, true);
      return (
        <span
          title={`${formatPlural(nTasks, "common task")}${bounds.kind === "computed" ? "" : ", no interval"}`}
        >
          {isClear ? <b>{text}</b> : text}{" "}
          <span className="muted">
            {bounds.kind === "computed" ? formatDifferenceRange(bounds, true) : MISSING}
          </span>
        </span>
      );
    },
    { numeric: true, title, className: "nowrap" },
  );
}
