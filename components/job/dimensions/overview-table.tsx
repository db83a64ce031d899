import type { Route } from "next";
import type { ReactNode } from "react";

import { ShareRow, ShareScale } from "@/components/charts/share-rows";
import { DifferenceScale as DifferenceNumbers, DifferenceStrip } from "@/components/charts/strips";
import { AgentName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { placeInterval } from "@/lib/core/charts/interval-strip";
import {
  describeMean,
  formatCount,
  formatDifference,
  formatDifferenceRange,
  formatPlural,
  formatRange,
  formatReward,
  MISSING,
} from "@/lib/core/format/number";
import { type JobParams, jobTrialsHref } from "@/lib/pages/job/address";
import type { DimensionOverview, OverviewRow } from "@/lib/pages/job/dimension-overview";

import { formatShare, nameGroup, type OverviewGroup } from "./overview-words";

interface TableProps {
  readonly jobKey: string | null;
  readonly overview: DimensionOverview;
  readonly params: JobParams;
  readonly groups: readonly OverviewGroup[];
  readonly rows: readonly OverviewRow[];
  readonly caption: string;
}

function listColumns({ overview, groups, params, rows }: TableProps): readonly Column[] {
  const { pair, scale } = overview;
  const isPlotted = !params.asNumbers;
  return [
    { id: "name", label: "Dimension" },
    {
      id: "tasks",
      minor: true,
      label: rows.some(({ task }) => task !== null) ? "Task" : "Tasks",
      numeric: rows.every(({ task }) => task === null),
    },
    ...(isPlotted
      ? [
          {
            id: "plot",
            label: (
              <Drawn what="Means with intervals">
                <ShareScale />
              </Drawn>
            ),
          },
        ]
      : []),
    ...groups.map(({ group, identity }) => ({
      id: `mean ${group.key}`,
      numeric: true,
      title: group.key,
      label: <AgentName identity={identity} agent={group.agent} model={group.model} />,
    })),
    ...(pair === null
      ? []
      : [
          ...(isPlotted && scale !== null
            ? [
                {
                  id: "difference-plot",
                  minor: true,
                  width: 124,
                  label: (
                    <Drawn what="Difference, drawn">
                      <DifferenceNumbers ticks={scale.ticks} />
                    </Drawn>
                  ),
                },
              ]
            : []),
          {
            id: "difference",
            numeric: true,
            label: "Difference",
            title: `${nameGroup(groups, pair[0])} minus ${nameGroup(groups, pair[1])}, in points, paired by task`,
          },
        ]),
    ...(rows.some(({ lossShare }) => lossShare !== null)
      ? [{ id: "loss", label: "Share of loss", numeric: true, minor: true }]
      : []),
    { id: "below", label: "Below 1", numeric: true, title: "Trials with a value below 1" },
  ];
}

export function Drawn({ what, children }: { what: string; children: ReactNode }) {
  return (
    <>
      <span className="screen-reader">{what}</span>
      {children}
    </>
  );
}

export function OverviewTable(props: TableProps) {
  const columns = listColumns(props);
  const has = new Set(columns.map(({ id }) => id));
  return (
    <Table caption={props.caption} columns={columns} className="dimension-overview-table">
      <tbody>
        {props.rows.map((row) => (
          <OverviewLine key={`${row.kind} ${row.name}`} row={row} has={has} {...props} />
        ))}
      </tbody>
    </Table>
  );
}

const KIND_WORDS = { reward: "headline", "reward-key": "reward key", dimension: null } as const;

function OverviewLine({
  row,
  has,
  jobKey,
  overview,
  groups,
  params,
  rows,
}: TableProps & { row: OverviewRow; has: ReadonlySet<string> }) {
  const kind = KIND_WORDS[row.kind];
  const isByTask = rows.some(({ task }) => task !== null);
  const filter = { dimension: row.name, groups: params.groups };
  const listTrials = (shareBelow: number | null = null) =>
    row.kind === "dimension" && jobKey !== null ? jobTrialsHref(jobKey, { ...filter, shareBelow }) : null;
  const label = (
    <span className="dimension-name" title={row.name}>
      {row.name}
    </span>
  );
  const below = (
    <>
      {formatCount(row.nBelow)} <span className="muted">of {formatCount(row.n)}</span>
    </>
  );
  return (
    <tr className={row.kind === "reward" ? "dimension-total" : undefined}>
      <th scope="row" className="name">
        <TrialsLink href={listTrials()}>{label}</TrialsLink>
        {kind === null ? null : <span className="caption">{kind}</span>}
      </th>
      {row.task === null ? (
        <td className={isByTask ? "minor" : "numeric minor"}>
          {isByTask ? formatPlural(row.nTasks, "task") : formatCount(row.nTasks)}
        </td>
      ) : (
        <td className="cut dimension-task minor" title={row.task}>
          {row.task}
        </td>
      )}
      {has.has("plot") ? (
        <td>
          <ShareRow marks={listMarks(row, groups)} nLines={groups.length} title={describeRow(row, groups)} />
        </td>
      ) : null}
      {groups.map(({ group }, at) => (
        <MeanCell key={group.key} cell={row.cells[at] ?? null} isFull={params.asNumbers} />
      ))}
      {has.has("difference-plot") ? (
        <td className="minor">
          <RowDifference name={row.name} difference={row.difference} scale={overview.scale} />
        </td>
      ) : null}
      {has.has("difference") ? <DifferenceCell difference={row.difference} /> : null}
      {has.has("loss") ? (
        <td className="numeric minor">{row.kind === "reward" ? MISSING : formatShare(row.lossShare)}</td>
      ) : null}
      <td className="numeric nowrap">
        <TrialsLink href={row.nBelow > 0 ? listTrials(1) : null}>{below}</TrialsLink>
      </td>
    </tr>
  );
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

function MeanCell({ cell, isFull }: { cell: OverviewRow["cells"][number]; isFull: boolean }) {
  if (cell === null) return <td className="numeric unknown">{MISSING}</td>;
  const bounds = cell.bounds.kind === "computed" ? cell.bounds : null;
  const { n, nMissing } = cell;
  const title = `${describeMean(cell.mean, bounds)}, ${formatPlural(n, "trial")}${nMissing > 0 ? `, ${formatCount(nMissing)} missing` : ""}`;
  return (
    <td className="numeric nowrap" title={title}>
      {formatReward(cell.mean, isFull ? 3 : 2)}
      {isFull ? (
        <>
          {" "}
          <span className="muted">{bounds === null ? MISSING : formatRange(bounds)}</span>{" "}
          <span className="caption">n {formatCount(n)}</span>
        </>
      ) : null}
    </td>
  );
}

export function RowDifference({
  name,
  difference,
  scale,
}: Pick<OverviewRow, "name" | "difference"> & { scale: DimensionOverview["scale"] }) {
  if (difference === null || scale === null) return null;
  const { bounds } = difference;
  const limits = bounds.kind === "computed" ? bounds : { low: null, high: null };
  return (
    <DifferenceStrip
      ticks={scale.ticks}
      interval={placeInterval(
        { value: difference.difference, low: limits.low, high: limits.high },
        scale.domain,
      )}
      title={`${name}: difference ${formatDifference(difference.difference, true)} points`}
    />
  );
}

export function DifferenceCell({ difference }: Pick<OverviewRow, "difference">) {
  if (difference === null) return <td className="numeric unknown">{MISSING}</td>;
  const { bounds, verdict, nTasks } = difference;
  const isClear = verdict === "first-better" || verdict === "second-better";
  const text = formatDifference(difference.difference, true);
  return (
    <td
      className="numeric nowrap"
      title={`${formatPlural(nTasks, "common task")}${bounds.kind === "computed" ? "" : ", no interval"}`}
    >
      {isClear ? <b>{text}</b> : text}{" "}
      <span className="muted">
        {bounds.kind === "computed" ? formatDifferenceRange(bounds, true) : MISSING}
      </span>
    </td>
  );
}
