import Link from "next/link";

import { compareParamsHref, type CompareParams } from "@/lib/addresses/compare";
import { GroupName } from "@/components/ui/agent-name";
import { StatusWord } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { pack } from "@/components/ui/packed";
import { Pager } from "@/components/ui/pager";
import { type Column, Table } from "@/components/ui/table";
import type { Outcome } from "@/lib/domain/trial";
import { formatPlural } from "@/lib/format/number";
import type { Comparison } from "@/lib/queries/compare/page";
import { COMPARE_SORTS, type CompareShow, type CompareSort } from "@/lib/domain/compare-filter";
import type { MatrixPart } from "@/lib/queries/compare/matrix";

import { type MatrixLines, prepareMatrixLines } from "./matrix-lines";
import { MatrixRows, type MatrixSetting } from "./matrix-rows";

import "./matrix-section.css";

/** Every task with every attempt of every group, and how far apart the groups are on it. */
export function MatrixSection({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { matrix, groups } = comparison;
  const columns = listColumns(comparison, params);
  const parts = prepareMatrixLines(comparison);
  const setting = prepareSetting(comparison);
  const pager = {
    page: matrix.page,
    noun: "task",
    way: "stay" as const,
    hrefOf: (to: number) => compareParamsHref(params, { matrixPage: to }),
  };
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
      <Pager {...pager} label="Pages of the tasks" />
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
          {parts.map((part) => (
            <tbody key={part.id}>
              {part.id === "all" ? null : (
                <tr className="group-row">
                  <th scope="rowgroup" colSpan={columns.length}>
                    {namePart(part.id, comparison)}{" "}
                    <span className="muted">{formatPlural(part.nRows, "task")}</span>
                  </th>
                </tr>
              )}
              <MatrixRows packed={pack(part.lines)} setting={setting} />
            </tbody>
          ))}
        </Table>
      )}
      <Pager {...pager} label="Pages of the tasks, below" />
      <Legend parts={parts} groups={groups.length} />
    </section>
  );
}

function prepareSetting({ groups, matrix }: Comparison): MatrixSetting {
  return {
    scale: matrix.scale,
    groups: groups.map(({ id, label, identity, variant, entry, group, summary }) => ({
      id,
      label,
      identity,
      variant,
      jobKey: entry.job.key,
      groupKey: group.key,
      isPart: summary.setup !== null,
    })),
  };
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

function Legend({ parts, groups }: { parts: readonly MatrixLines[]; groups: number }) {
  const marks = parts.flatMap(({ lines }) =>
    lines.flatMap(({ cells }) => cells.flatMap((cell) => cell.marks)),
  );
  const outcomes = new Set<Outcome>(marks.map(([, , outcome]) => outcome));
  return (
    <p className="caption matrix-legend">
      {[...outcomes].map((outcome) => (
        <StatusWord key={outcome} status={outcome} />
      ))}
      <span>
        One mark is one attempt and opens its trial; c/n is how many pass. A few attempts seldom separate{" "}
        {groups === 2 ? "two groups" : "groups"} on one task.
      </span>
    </p>
  );
}
