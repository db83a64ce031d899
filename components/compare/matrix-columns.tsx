import type { Route } from "next";

import { GroupName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import type { DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { MAX_COLOURED, nameGroupSort } from "@/lib/core/domain/compare-filter";
import type { CellMark } from "@/lib/core/domain/matrix-marks";
import { formatCost, formatCount, formatDifference, MISSING } from "@/lib/core/format/number";
import { trialHref } from "@/lib/pages/address/href";
import type { MatrixPart, MatrixRow } from "@/lib/pages/compare/matrix";
import type { ComparedPair, Comparison } from "@/lib/pages/compare/page";
import { diffHref, type TrialRef } from "@/lib/pages/diff/address";
import { trialsPageHref, writeTrialsList } from "@/lib/pages/trials/address";

import { Balance, GroupCell, Slope } from "./matrix-scope";

type Group = Comparison["groups"][number];

export interface MatrixLine extends MatrixRow {
  readonly part: MatrixPart;
  readonly name: string;
  readonly marks: readonly (readonly CellMark[])[];
}

export function listMatrixColumns({
  groups,
  pairs,
  lead,
  matrix,
}: Comparison): readonly DataColumn<MatrixLine>[] {
  const isPair = pairs.length === 1;
  return [
    {
      id: "task",
      header: "Task",
      meta: { className: "matrix-task", isRowHeader: true, sort: "task", ascends: true },
      cell: (row) => <TaskLink row={row} groups={groups} />,
    },
    ...groups.map((group, at) => groupColumn(group, at, groups.length)),
    ...(isPair ? [SLOPE_COLUMN] : groups.length > MAX_COLOURED + 1 ? [] : [BALANCE_COLUMN]),
    {
      id: "difference",
      header: matrix.scale.high <= 1 ? "Difference, points" : "Difference",
      meta: {
        numeric: true,
        title: isPair
          ? "Mean reward, second minus first"
          : "Mean reward, the best of the others minus the first",
        sort: "difference",
      },
      cell: ({ difference }) => (difference === null ? <Unknown /> : formatRowDifference(difference, matrix)),
    },
    ...(matrix.hasRepeats ? [flakyColumn(groups.length)] : []),
    ...(isPair && matrix.hasCost ? [COST_COLUMN] : []),
    ...(lead === null || groups.length > MAX_COLOURED ? [] : [diffColumn(groups, lead)]),
  ];
}

/** Fewer digits, because an invisible last digit would be half of what is sent. */
const SLOPE_COLUMN: DataColumn<MatrixLine> = {
  id: "slope",
  header: <span title="Mean reward, before and after">Before, after</span>,
  meta: { className: "matrix-strip", room: "minor" },
  cell: ({ cells }) => (
    <Slope means={cells.map(({ mean }) => (mean === null ? null : Number(mean.toPrecision(7))))} />
  ),
};

const BALANCE_COLUMN: DataColumn<MatrixLine> = {
  id: "balance",
  header: "Worse, better",
  meta: { className: "matrix-strip", room: "minor" },
  cell: ({ cells: [, ...others] }) => {
    const count = (sign: number) => others.filter(({ versus }) => versus === sign).length;
    return <Balance better={count(1)} worse={count(-1)} />;
  },
};

function groupColumn(
  { id, label, runs, ...rest }: Group,
  at: number,
  nGroups: number,
): DataColumn<MatrixLine> {
  const isSorting = nGroups <= MAX_COLOURED;
  return {
    // Short, because each cell sends it.
    id: `g${at}`,
    header: (
      <span
        className={isSorting ? "matrix-group" : "matrix-group matrix-group-many"}
        style={{ minWidth: 22 + 6.5 * Math.max(4, Math.ceil(label.length * 0.55)) }}
      >
        <GroupName group={{ id, label, ...rest }} />
      </span>
    ),
    meta: {
      // URLs of two dozen headings would be a fifth of the page.
      ...(isSorting ? { sort: nameGroupSort(at) } : {}),
      isOwnCell: true,
    },
    cell: ({ task, cells, marks }) => {
      const { n = 0, c = 0, spent, versus, attempts = [] } = cells[at] ?? {};
      const shown = marks[at] ?? [];
      const nMore = attempts.length - shown.length;
      return (
        <GroupCell
          at={at}
          list={listTask(task)}
          {...(nGroups > 2 ? nameTone(at, versus) : {})}
          {...(shown.length === 0 ? {} : { marks: shown })}
          {...(n === 0 ? {} : { counts: [c, n] })}
          {...(spent === undefined || attempts.length === 0 ? {} : { spent: spent ?? MISSING })}
          {...(nMore === 0
            ? {}
            : {
                more: (
                  <Link
                    className="muted"
                    href={listTrialsHref(runs, task)}
                    title={`${formatCount(nMore)} more attempts`}
                  >
                    +{nMore}
                  </Link>
                ),
              })}
        />
      );
    },
  };
}

function nameTone(at: number, versus: number | null = null) {
  if (versus === null) return {};
  const tone = versus === 0 ? "same" : "differs";
  return { tone: at === 0 ? "baseline" : tone } as const;
}

function listTrialsHref([run, ...others]: Group["runs"], task: string): Route {
  const { group, summary } = run;
  if (others.length === 0)
    return trialsPageHref(run.job.key, {
      groups: [group.key],
      tasks: [task],
      isDivided: summary.setup !== null,
    });
  return trialsPageHref(null, {
    jobs: [run, ...others].map(({ job }) => job.key),
    tasks: [task],
    isOfAllJobs: true,
  });
}

/** Next and previous then go through all attempts at the task in any job. */
function listTask(task: string): string | null {
  return writeTrialsList({ isOfAllJobs: true, tasks: [task] });
}

function diffColumn(groups: readonly Group[], { first, second }: ComparedPair): DataColumn<MatrixLine> {
  const [left, right] = [first, second].map((group) => groups.findIndex(({ id }) => id === group.id));
  const list = (line: MatrixLine, at: number | undefined) =>
    (line.marks[at ?? -1] ?? []).flatMap(({ key, jobKey = groups[at ?? -1]?.runs[0].job.key, outcome }) =>
      key === null || jobKey === undefined ? [] : [{ jobKey, trialKey: key, outcome }],
    );
  return {
    id: "diff",
    header: <span className="screen-reader">Side by side</span>,
    meta: { label: "Side by side", room: "minor" },
    cell: (line) => {
      const [ofLeft, ofRight] = [list(line, left), list(line, right)];
      const a = ofLeft.find((one) => ofRight.some(({ outcome }) => outcome !== one.outcome)) ?? ofLeft[0];
      const b = ofRight.find(({ outcome }) => outcome !== a?.outcome) ?? ofRight[0];
      if (a === undefined || b === undefined) return null;
      return (
        <Link
          className="muted"
          href={diffHref({ a: pickRef(a), b: pickRef(b) })}
          title={`Attempts of ${first.label} and ${second.label} side by side`}
        >
          diff
        </Link>
      );
    },
  };
}

function pickRef({ jobKey, trialKey }: TrialRef): TrialRef {
  return { jobKey, trialKey };
}

function TaskLink({ row: { task, name, marks }, groups }: { row: MatrixLine; groups: readonly Group[] }) {
  const list = listTask(task);
  const [anchor] = groups.flatMap(({ runs: [{ job }] }, at) =>
    (marks[at] ?? []).flatMap(({ key, jobKey = job.key }) =>
      key === null ? [] : trialHref(jobKey, key, list === null ? {} : { list }),
    ),
  );
  if (anchor === undefined) return <span title={task}>{name}</span>;
  return (
    <Link href={anchor} className="quiet" data-row-link="" title={task}>
      {name}
    </Link>
  );
}

function formatRowDifference(difference: number, { scale, isWholePoints }: Comparison["matrix"]): string {
  const isRate = scale.high <= 1 && scale.low >= 0;
  const isZero = Math.abs(difference) < 1e-9;
  const text = formatDifference(isZero ? 0 : difference, isRate);
  return isRate && isWholePoints ? text.replace(/\.0$/, "") : text;
}

function flakyColumn(nGroups: number): DataColumn<MatrixLine> {
  return {
    id: "flaky",
    header: "Flaky",
    meta: {
      className: "muted cut matrix-flaky",
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
    const text = formatCost(Math.abs(second - first));
    const sign = first === second ? "" : second > first ? "+" : "−";
    return (
      <span title={`Mean cost of an attempt: ${formatCost(second)} against ${formatCost(first)}`}>
        {sign}
        {text}
      </span>
    );
  },
};
