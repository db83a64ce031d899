import { compareParamsHref, type CompareParams } from "@/lib/addresses/compare";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { StatusWord } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { countAddressBytes, countPageBytes, takeFittingEach } from "@/lib/domain/page-bytes";
import { formatPlural } from "@/lib/format/number";
import type { Comparison } from "@/lib/queries/compare/page";
import { COMPARE_SORTS, type CompareShow } from "@/lib/domain/compare-filter";
import type { MatrixPart } from "@/lib/queries/compare/matrix";

import { listMatrixColumns, type MatrixLine } from "./matrix-columns";

import "./matrix-section.css";

/** Every task with every attempt of every group, and how far apart the groups are on it. */
export function MatrixSection({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { matrix, groups } = comparison;
  const lines = listLines(comparison);
  const pager = {
    page: matrix.page,
    noun: "task",
    mode: "stay" as const,
    hrefOf: (to: number) => compareParamsHref(params, { matrixPage: to }),
  };
  return (
    <section className="section matrix" aria-label="Tasks and attempts">
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
        <DataTable
          caption="Tasks by group, every attempt as a mark"
          className="table-compact"
          columns={listMatrixColumns(comparison)}
          rows={lines}
          rowKey={({ task }) => task}
          order={{
            sorts: COMPARE_SORTS,
            sort: params.sort,
            descending: params.descending,
            hrefOf: (order) => compareParamsHref(params, order),
          }}
          heading={({ part }, at) =>
            part.id === "all" || part === lines[at - 1]?.part ? null : (
              <>
                {namePart(part.id, comparison)}{" "}
                <span className="muted">{formatPlural(part.nRows, "task")}</span>
              </>
            )
          }
        />
      )}
      <Pager {...pager} label="Pages of the tasks, below" />
      <Legend lines={lines} groups={groups.length} />
    </section>
  );
}

/** More marks than this in one cell are counted instead of drawn. */
const MOST_MARKS = 12;
/** Bytes of all marks of a page, and what a mark takes beside its texts. */
const MAX_MARKS_BYTES = 1_000_000;
const MARK_BYTES = 220;

/** The rows of a page; of attempts as many as it holds, spread evenly over the cells. */
function listLines({ matrix, groups }: Comparison): readonly MatrixLine[] {
  const jobBytes = Math.max(...groups.map(({ job }) => countAddressBytes(job.key)));
  const rows = matrix.parts.flatMap((part) => part.rows.map((row) => ({ ...row, part })));
  const marks = takeFittingEach(
    rows.flatMap(({ cells }) => cells.map(({ attempts }) => attempts.slice(0, MOST_MARKS))),
    MAX_MARKS_BYTES,
    // The name of the trial is sent as it is and as an address.
    ({ key, detail = "" }) =>
      MARK_BYTES +
      jobBytes +
      countAddressBytes(key ?? "") +
      countPageBytes(key ?? "") +
      countPageBytes(detail),
  );
  return rows.map((row, at) => ({
    ...row,
    marks: marks.slice(at * groups.length, (at + 1) * groups.length),
  }));
}

function ShowLink({ params, show, label }: { params: CompareParams; show: CompareShow; label: string }) {
  const isOn = params.show === show;
  return (
    <Link
      className={isOn ? "chip chip-on" : "chip"}
      href={compareParamsHref(params, { show })}
      aria-current={isOn ? "true" : undefined}
      mode="replace"
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

function Legend({ lines, groups }: { lines: readonly MatrixLine[]; groups: number }) {
  const outcomes = new Set(lines.flatMap(({ marks }) => marks.flat().map(({ outcome }) => outcome)));
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
