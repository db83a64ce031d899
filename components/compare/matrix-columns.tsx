import { ShareStrip } from "@/components/charts/strips";
import { GroupName } from "@/components/ui/agent-name";
import { AttemptMarks } from "@/components/ui/attempt-marks";
import { Link } from "@/components/ui/link";
import type { DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { type Query, trialHref } from "@/lib/addresses/href";
import { jobTrialsHref } from "@/lib/addresses/job";
import { writeTrialsList } from "@/lib/addresses/trials-list";
import { COMPARE_SORTS } from "@/lib/domain/compare-filter";
import { fitPage } from "@/lib/domain/page-bytes";
import { formatCount, formatDifference, formatReward } from "@/lib/format/number";
import type { MatrixAttempt, MatrixPart, MatrixRow } from "@/lib/queries/compare/matrix";
import type { Comparison } from "@/lib/queries/compare/page";

type Group = Comparison["groups"][number];

/** A row of the matrix, the part of its page that it belongs to, and as many attempts of each cell as fit. */
export interface MatrixLine extends MatrixRow {
  readonly part: MatrixPart;
  readonly marks: readonly (readonly MatrixAttempt[])[];
}

/** Of the name of a group where every row repeats it. */
const LABEL_BYTES = 60;

/** The columns of the matrix: one for each group, then how far apart the groups are. */
export function listMatrixColumns({ groups, pairs, matrix }: Comparison): readonly DataColumn<MatrixLine>[] {
  const isPair = pairs.length === 1;
  return [
    {
      id: "task",
      header: "Task",
      meta: { className: "matrix-task", isRowHeader: true, sort: "task", ascends: true, phone: "first" },
      cell: (row) => <TaskLink row={row} groups={groups} />,
    },
    ...groups.map((group, at) => groupColumn(group, at)),
    {
      id: "strip",
      header: <StripScale matrix={matrix} />,
      meta: { className: "matrix-strip", width: "36%" },
      cell: ({ cells }) => (
        <ShareStrip
          title={groups
            .map(({ label }, at) => {
              const mean = cells[at]?.mean ?? null;
              return `${label} ${mean === null ? "no value" : formatReward(mean, 2)}`;
            })
            .join(", ")}
          scale={matrix.scale}
          marks={groups.map(({ id, label, identity, variant }, at) => ({
            group: { id, label, identity, variant },
            value: cells[at]?.mean ?? null,
          }))}
        />
      ),
    },
    {
      id: "difference",
      header: matrix.scale.high <= 1 ? "Difference, points" : "Difference",
      meta: {
        numeric: true,
        title: isPair ? "Mean reward, first minus second" : "Mean reward, first minus the best of the others",
        sort: "difference",
        phone: "score",
      },
      cell: ({ difference }) => (difference === null ? <Unknown /> : formatRowDifference(difference, matrix)),
    },
    ...(matrix.hasRepeats ? [flakyColumn(groups.length)] : []),
    ...(isPair && matrix.hasCost ? [COST_COLUMN] : []),
  ];
}

function groupColumn({ id, label, job, group, summary, ...rest }: Group, at: number): DataColumn<MatrixLine> {
  const { key } = job;
  return {
    id: `group ${id}`,
    header: <GroupName group={{ id, label, ...rest }} />,
    meta: {
      label: fitPage(label, LABEL_BYTES),
      sort: COMPARE_SORTS[at + 2] ?? "difference",
      phone: "labelled",
    },
    cell: ({ task, cells, marks }) => {
      const { n = 0, c = 0, attempts = [] } = cells[at] ?? {};
      const shown = marks[at] ?? [];
      const nMore = attempts.length - shown.length;
      const trials = { groups: [group.key], tasks: [task], isDivided: summary.setup !== null };
      return (
        <span className="matrix-cell">
          {shown.length === 0 ? null : <AttemptMarks attempts={shown} jobKey={key} onward={listTask(task)} />}
          {nMore === 0 ? null : (
            <Link
              className="muted"
              href={jobTrialsHref(key, trials)}
              title={`${formatCount(nMore)} more attempts`}
            >
              +{nMore}
            </Link>
          )}
          {n === 0 ? (
            <Unknown />
          ) : (
            <span>
              {c}
              <span className="muted">/{n}</span>
            </span>
          )}
        </span>
      );
    },
  };
}

/** Next and previous of a trial that is opened here go through all attempts at its task, whatever job they are in. */
function listTask(task: string): Query {
  const list = writeTrialsList({ isOfAllJobs: true, tasks: [task] });
  return list === null ? {} : { list };
}

/** Opens the first attempt that has a page. */
function TaskLink({ row: { task, marks }, groups }: { row: MatrixLine; groups: readonly Group[] }) {
  const [anchor] = groups.flatMap(({ job }, at) =>
    (marks[at] ?? []).flatMap(({ key }) => (key === null ? [] : trialHref(job.key, key, listTask(task)))),
  );
  if (anchor === undefined) return task;
  return (
    <Link href={anchor} className="quiet" data-row-link="" title={task}>
      {task}
    </Link>
  );
}

function StripScale({ matrix: { scale } }: { matrix: Comparison["matrix"] }) {
  return (
    <span className="matrix-scale">
      <span>{Number(scale.low.toPrecision(3))}</span>
      <span>mean reward</span>
      <span>{Number(scale.high.toPrecision(3))}</span>
    </span>
  );
}

function formatRowDifference(difference: number, { scale, pointDecimals }: Comparison["matrix"]): string {
  const isRate = scale.high <= 1 && scale.low >= 0;
  const isZero = Math.abs(difference) < 1e-9;
  const text = formatDifference(isZero ? 0 : difference, isRate);
  return isRate && pointDecimals === 0 ? text.replace(/\.0$/, "") : text;
}

function flakyColumn(nGroups: number): DataColumn<MatrixLine> {
  return {
    id: "flaky",
    header: "Flaky",
    meta: {
      className: "muted matrix-flaky",
      room: "minor",
      title: "Groups that pass some attempts and fail others",
    },
    cell: ({ flaky }) => <span title={flaky.join(", ")}>{describeFlaky(flaky, nGroups)}</span>,
  };
}

function describeFlaky(flaky: readonly string[], nGroups: number): string {
  if (flaky.length === 0) return "none";
  if (flaky.length === nGroups) return nGroups === 2 ? "both" : "all";
  return flaky.length === 1 ? (flaky[0] ?? "") : `${flaky.length} of ${nGroups}`;
}

const COST_COLUMN: DataColumn<MatrixLine> = {
  id: "cost",
  header: "Cost difference, $",
  meta: { numeric: true, room: "minor" },
  cell: ({ cells }) => {
    const first = cells[0]?.costUsd ?? null;
    const second = cells[1]?.costUsd ?? null;
    if (first === null || second === null) return <Unknown />;
    const text = Math.abs(first - second).toFixed(2);
    const sign = Number(text) === 0 ? "" : first > second ? "+" : "−";
    return (
      <span title={`Mean cost of an attempt: ${first.toFixed(4)} against ${second.toFixed(4)}`}>
        {sign}
        {text}
      </span>
    );
  },
};
