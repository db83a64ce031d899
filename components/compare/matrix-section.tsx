import Link from "next/link";

import { compareParamsHref, type CompareParams } from "@/app/compare/search-params";
import { GroupName } from "@/components/charts/group-mark";
import { ShareStrip } from "@/components/charts/share-strip";
import { AttemptMarks } from "@/components/ui/attempt-marks";
import { StatusWord } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { type Column, Table } from "@/components/ui/table";
import type { Outcome } from "@/lib/domain/trial";
import { formatDifference, formatPlural, formatReward, MISSING } from "@/lib/format/number";
import type { Comparison } from "@/lib/queries/compare-page";
import { COMPARE_SORTS, type CompareShow, type CompareSort } from "@/lib/domain/compare-filter";
import type { MatrixCell, MatrixPart, MatrixRow } from "@/lib/queries/compare-page-matrix";

import { MatrixPager } from "./matrix-pager";

import "./matrix-section.css";

/** More marks than this in one cell are counted instead of drawn. */
const MOST_MARKS = 12;

/** Every task with every attempt of every group, and how far apart the groups are on it. */
export function MatrixSection({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { matrix, groups } = comparison;
  const columns = listColumns(comparison, params);
  return (
    <section
      className={groups.length > 3 ? "section matrix matrix-many" : "section matrix"}
      aria-label="Tasks and attempts"
    >
      <div className="matrix-head">
        <h2>Tasks and attempts</h2>
      </div>
      <div className="matrix-bar" role="group" aria-label="Which tasks">
        <ShowLink params={params} show="all" label={`All ${matrix.counts.all}`} />
        <ShowLink params={params} show="differ" label={`Differ ${matrix.counts.differ}`} />
        {matrix.hasRepeats ? (
          <ShowLink params={params} show="flaky" label={`Flaky for any ${matrix.counts.flaky}`} />
        ) : null}
      </div>
      <MatrixPager page={matrix.page} params={params} label="Pages of the tasks" />
      {matrix.parts.length === 0 ? (
        <Notice title={matrix.counts.all === 0 ? "These groups have no task" : "No task is like this"}>
          {matrix.counts.all === 0
            ? "No trial of the chosen groups has a result yet."
            : params.show === "differ"
              ? "All groups have the same mean reward on every common task."
              : "Every group passes all of its attempts at a task or none."}
        </Notice>
      ) : (
        <Table caption="Tasks by group, every attempt as a mark" columns={columns} compact>
          {matrix.parts.map((part) => (
            <tbody key={part.id}>
              {part.id === "all" ? null : (
                <tr className="group-row">
                  <th scope="rowgroup" colSpan={columns.length}>
                    {namePart(part.id, comparison)}{" "}
                    <span className="muted">{formatPlural(part.nRows, "task")}</span>
                  </th>
                </tr>
              )}
              {part.rows.map((row) => (
                <Row key={row.task} row={row} comparison={comparison} />
              ))}
            </tbody>
          ))}
        </Table>
      )}
      <MatrixPager page={matrix.page} params={params} label="Pages of the tasks, below" />
      <Legend part={matrix.parts} groups={groups.length} />
    </section>
  );
}

function ShowLink({ params, show, label }: { params: CompareParams; show: CompareShow; label: string }) {
  const isOn = params.show === show;
  return (
    <Link
      className={isOn ? "matrix-show matrix-show-on" : "matrix-show"}
      href={compareParamsHref(params, { show })}
      aria-current={isOn ? "true" : undefined}
      replace
      scroll={false}
      prefetch={false}
    >
      {label}
    </Link>
  );
}

function namePart(id: MatrixPart["id"], { groups, pairs }: Comparison): string {
  const first = groups[0]?.label ?? "";
  const single = pairs.length === 1 ? pairs[0]?.other.label : undefined;
  switch (id) {
    case "ahead":
      return single === undefined ? `${first} ahead of all others` : `${first} ahead`;
    case "tied":
      return single === undefined ? `${first} level with the best other` : "Tied";
    case "behind":
      return single === undefined ? `${first} behind another` : `${single} ahead`;
    case "apart":
      return "Not in every group";
    case "all":
      return "";
  }
}

function listColumns(comparison: Comparison, params: CompareParams): readonly Column[] {
  const { groups, pairs, matrix } = comparison;
  const sortable = (sort: CompareSort): Pick<Column, "sortHref" | "sorted"> => {
    const isSorted = params.sort === sort;
    const descending = isSorted ? !params.descending : sort !== "task";
    return {
      sortHref: compareParamsHref(params, { sort, descending }),
      sorted: isSorted ? (params.descending ? "desc" : "asc") : null,
    };
  };
  const isPair = pairs.length === 1;
  return [
    { id: "task", label: "Task", ...sortable("task") },
    ...groups.map((group, index) => ({
      id: group.id,
      label: <GroupName group={group} />,
      ...sortable(COMPARE_SORTS[index + 2] ?? "difference"),
    })),
    { id: "strip", label: <StripScale matrix={matrix} />, width: "36%" },
    {
      id: "difference",
      label: matrix.scale.high <= 1 ? "Difference, points" : "Difference",
      numeric: true,
      title: isPair ? "Mean reward, first minus second" : "Mean reward, first minus the best of the others",
      ...sortable("difference"),
    },
    ...(matrix.hasRepeats
      ? [
          {
            id: "flaky",
            label: "Flaky",
            minor: true,
            title: "Groups that pass some attempts and fail others",
          },
        ]
      : []),
    ...(isPair && matrix.hasCost
      ? [{ id: "cost", label: "Cost difference, $", numeric: true, minor: true }]
      : []),
  ];
}

function StripScale({ matrix }: { matrix: Comparison["matrix"] }) {
  return (
    <span className="matrix-scale">
      <span>{Number(matrix.scale.low.toPrecision(3))}</span>
      <span>mean reward</span>
      <span>{Number(matrix.scale.high.toPrecision(3))}</span>
    </span>
  );
}

function Row({ row, comparison }: { row: MatrixRow; comparison: Comparison }) {
  const { groups, pairs, matrix } = comparison;
  const isRate = matrix.scale.high <= 1 && matrix.scale.low >= 0;
  const words = groups.map((group, index) => {
    const mean = row.cells[index]?.mean ?? null;
    return `${group.label} ${mean === null ? "no value" : formatReward(mean, 2)}`;
  });
  const anchor = row.cells.flatMap((cell) => cell.attempts.flatMap(({ href }) => href ?? []))[0];
  return (
    <tr>
      <th scope="row" className="matrix-task">
        {anchor === undefined ? (
          row.task
        ) : (
          <Link href={anchor} className="quiet" data-row-link="" title={row.task} prefetch={false}>
            {row.task}
          </Link>
        )}
      </th>
      {row.cells.map((cell, index) => (
        <AttemptsCell key={groups[index]?.id ?? index} cell={cell} />
      ))}
      <td className="matrix-strip">
        <ShareStrip
          title={words.join(", ")}
          scale={matrix.scale}
          marks={groups.map((group, index) => ({ group, value: row.cells[index]?.mean ?? null }))}
        />
      </td>
      <td className={row.difference === null ? "numeric unknown" : "numeric"}>
        {row.difference === null
          ? MISSING
          : formatRowDifference(row.difference, isRate, matrix.pointDecimals)}
      </td>
      {matrix.hasRepeats ? (
        <td className="minor muted matrix-flaky" title={row.flaky.join(", ")}>
          {describeFlaky(row, groups.length)}
        </td>
      ) : null}
      {pairs.length === 1 && matrix.hasCost ? <CostCell cells={row.cells} /> : null}
    </tr>
  );
}

function formatRowDifference(difference: number, isRate: boolean, decimals: 0 | 1): string {
  const isZero = Math.abs(difference) < 1e-9;
  const text = formatDifference(isZero ? 0 : difference, isRate);
  return isRate && decimals === 0 ? text.replace(/\.0$/, "") : text;
}

function describeFlaky(row: MatrixRow, nGroups: number): string {
  if (row.flaky.length === 0) return "none";
  if (row.flaky.length === nGroups) return nGroups === 2 ? "both" : "all";
  return row.flaky.length === 1 ? (row.flaky[0] ?? "") : `${row.flaky.length} of ${nGroups}`;
}

function AttemptsCell({ cell }: { cell: MatrixCell }) {
  return (
    <td>
      <span className="matrix-cell">
        {cell.attempts.length === 0 ? null : <AttemptMarks attempts={cell.attempts.slice(0, MOST_MARKS)} />}
        {cell.attempts.length > MOST_MARKS ? (
          <span className="muted">+{cell.attempts.length - MOST_MARKS}</span>
        ) : null}
        {cell.n === 0 ? (
          <span className="unknown">{MISSING}</span>
        ) : (
          <span>
            {cell.c}
            <span className="muted">/{cell.n}</span>
          </span>
        )}
      </span>
    </td>
  );
}

function CostCell({ cells }: { cells: readonly MatrixCell[] }) {
  const first = cells[0]?.costUsd ?? null;
  const second = cells[1]?.costUsd ?? null;
  if (first === null || second === null) return <td className="numeric minor unknown">{MISSING}</td>;
  const text = Math.abs(first - second).toFixed(2);
  const sign = Number(text) === 0 ? "" : first > second ? "+" : "−";
  return (
    <td
      className="numeric minor"
      title={`Mean cost of an attempt: ${first.toFixed(4)} against ${second.toFixed(4)}`}
    >
      {sign}
      {text}
    </td>
  );
}

function Legend({ part, groups }: { part: readonly MatrixPart[]; groups: number }) {
  const outcomes = new Set<Outcome>(
    part.flatMap(({ rows }) =>
      rows.flatMap((row) => row.cells.flatMap((cell) => cell.attempts.map(({ outcome }) => outcome))),
    ),
  );
  return (
    <p className="caption matrix-legend">
      {[...outcomes].map((outcome) => (
        <StatusWord key={outcome} status={outcome} />
      ))}
      <span>
        One mark is one attempt and opens its trial; c/n is how many pass. A few attempts seldom separate{" "}
        {groups === 2 ? "two groups" : "groups"} on one task: read rows for causes, the verdict for the
        difference.
      </span>
    </p>
  );
}
