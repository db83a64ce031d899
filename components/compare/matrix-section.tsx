import type { Route } from "next";

import { GroupName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { FilterChip } from "@/components/ui/filter-bar";
import { Link } from "@/components/ui/link";
import { StatusWord } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { pickChartGroup } from "@/lib/core/charts/chart-group";
import type { MarkScale } from "@/lib/core/charts/mark-scale";
import { dropShared } from "@/lib/core/charts/text-fit";
import { placeOn } from "@/lib/core/charts/ticks";
import { COMPARE_SORTS } from "@/lib/core/domain/compare-filter";
import { MOST_MARKS, MARK_VERDICTS, type MarkVerdict } from "@/lib/core/domain/matrix-marks";
import { countPageBytes, takeFittingEach } from "@/lib/core/domain/page-bytes";
import { formatPlural, formatCount } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { compareParamsHref, type CompareParams } from "@/lib/pages/compare/address";
import type { MatrixPart, Matrix } from "@/lib/pages/compare/matrix";
import type { Comparison } from "@/lib/pages/compare/page";

import { nameLevel, nameVerdict } from "./mark-classes";
import { listMatrixColumns, type MatrixLine } from "./matrix-columns";
import { MatrixPicks, PickToggle } from "./matrix-picks";
import { MatrixScope } from "./matrix-scope";

import "./matrix.css";
import { MatrixView, nameChange } from "./matrix-view";

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
    <section className="matrix" aria-label="Tasks and attempts">
      <MatrixPicks>
        <div className="flow matrix-bar" role="group" aria-label="Which tasks">
          <PartLinks comparison={comparison} params={params} />
          <Chips comparison={comparison} params={params} />
          <span className="flow matrix-tools">
            <PickToggle />
            <MatrixView comparison={comparison} params={params} />
          </span>
        </div>
        <MarkLegend matrix={matrix} params={params} />
        <Pager {...pager} label="Pages of the tasks" />
        {matrix.parts.length === 0 ? (
          <Notice title={matrix.counts.all === 0 ? "These groups have no tasks" : "No tasks match"}>
            {explainEmpty(comparison, params)}
          </Notice>
        ) : (
          <MatrixTable comparison={comparison} params={params} lines={lines} />
        )}
        <Ties matrix={matrix} params={params} />
        <Pager {...pager} label="Pages of the tasks, below" />
        <Legend lines={lines} groups={groups.length} />
      </MatrixPicks>
    </section>
  );
}

const PART_WORDS = { better: "better", worse: "worse", tied: "ties", apart: "not in every group" } as const;

function PartLinks({ comparison: { matrix }, params }: { comparison: Comparison; params: CompareParams }) {
  const { places, ties } = matrix;
  return (
    <>
      {places.map(({ id, nRows, matrixPage }) =>
        id === "all" || id === "family" ? null : (
          <Link
            key={id}
            className="quiet"
            href={`${compareParamsHref(params, { matrixPage })}#tasks-${id}` as Route}
          >
            {formatCount(nRows)} {PART_WORDS[id]}
          </Link>
        ),
      )}
      {ties === null ? null : (
        <a className="quiet" href="#tasks-tied">
          {formatCount(ties.length)} {PART_WORDS.tied}
        </a>
      )}
    </>
  );
}

function Chips({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { show, change } = params;
  const counts = comparison.matrix.counts;
  return (
    <>
      {show === "all" ? null : (
        <FilterChip removeHref={compareParamsHref(params, { show: "all" })}>
          {show === "differ" ? `Any two differ ${counts.differ}` : `Flaky for any ${counts.flaky}`}
        </FilterChip>
      )}
      {change === "any" ? null : (
        <FilterChip removeHref={compareParamsHref(params, { change: "any" })}>
          <span className="cut" title={nameChange(change, comparison)}>
            {nameChange(change, comparison)}
          </span>
        </FilterChip>
      )}
    </>
  );
}

const MOST_TICKS_WIDTH = 720;

/** All tied tasks in one row: a tick each, as high as the share solved. */
function Ties({ matrix: { ties, scale }, params }: { matrix: Matrix; params: CompareParams }) {
  if (ties === null)
    return params.hasTies ? (
      <p className="flow matrix-ties">
        <Link href={compareParamsHref(params, { hasTies: false })} mode="replace">
          Fold ties
        </Link>
      </p>
    ) : null;
  const pitch = Math.min(6, MOST_TICKS_WIDTH / ties.length);
  const ticks = ties.map(
    (mean, nth) => `M${((nth + 0.3) * pitch).toFixed(1)} 20v-${(2 + 18 * placeOn(mean, scale)).toFixed(1)}`,
  );
  return (
    <p className="flow matrix-ties" id="tasks-tied">
      <Link href={compareParamsHref(params, { hasTies: true })} mode="replace" data-row-link="">
        Show {formatPlural(ties.length, "tie")}
      </Link>
      {/* Narrower ticks would not show. */}
      {pitch < 1 ? null : (
        <svg width={pitch * ties.length} height={20} role="img" aria-label="Mean reward of each tied task">
          <path d={ticks.join("")} stroke="var(--line-strong)" strokeWidth={pitch / 2} />
        </svg>
      )}
    </p>
  );
}

function MatrixTable({
  comparison,
  params,
  lines,
}: {
  comparison: Comparison;
  params: CompareParams;
  lines: readonly MatrixLine[];
}) {
  const { groups, matrix } = comparison;
  return (
    <MatrixScope
      groups={groups.map((group) => ({ ...pickChartGroup(group), jobKey: group.runs[0].job.key }))}
      scale={matrix.scale}
    >
      <ul className="matrix-key" aria-hidden="true">
        {groups.map((group) => (
          <li key={group.id}>
            <GroupName group={group} />
          </li>
        ))}
      </ul>
      <DataTable
        caption="Tasks by group, every attempt as a mark"
        className={matrix.hasRepeats ? "table-compact" : "table-compact matrix-single"}
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
            <span id={`tasks-${part.id}`}>
              {part.family ?? PART_NAMES[part.id][groups.length === 2 ? 0 : 1]}{" "}
              <span className="muted">{formatPlural(part.nRows, "task")}</span>
            </span>
          )
        }
      />
    </MatrixScope>
  );
}

/** Bytes of all marks, and of one without its texts. */
const MAX_MARKS_BYTES = 700_000;
const MARK_BYTES = 100;

/** Longer task names drop what all names of a page begin or end with. */
const LONGEST_NAME = 20;

function listLines({ matrix, groups }: Comparison): readonly MatrixLine[] {
  const rows = matrix.parts.flatMap((part) => part.rows.map((row) => ({ ...row, part })));
  const marks = takeFittingEach(
    rows.flatMap(({ cells }) => cells.map(({ attempts }) => attempts.slice(0, MOST_MARKS))),
    MAX_MARKS_BYTES,
    ({ key, jobKey = "", detail = "" }) =>
      MARK_BYTES + countPageBytes(key ?? "") + countPageBytes(jobKey) + countPageBytes(detail),
  );
  // Task names of a dataset mostly share a prefix, and a name cut at its end says nothing.
  const names = dropShared(
    rows.map(({ task }) => formatTask({ taskName: task })),
    LONGEST_NAME,
  );
  return rows.map((row, at) => ({
    ...row,
    name: names[at] ?? row.task,
    marks: marks.slice(at * groups.length, (at + 1) * groups.length),
  }));
}

const PART_NAMES: Readonly<Record<MatrixPart["id"], readonly [pair: string, many: string]>> = {
  better: ["Better", "At least one does better"],
  worse: ["Worse", "Only worse"],
  tied: ["Ties", "Ties"],
  apart: ["Not in every group", "Not in every group"],
  all: ["", ""],
  family: ["", ""],
};

function Legend({ lines, groups }: { lines: readonly MatrixLine[]; groups: number }) {
  const outcomes = new Set(lines.flatMap(({ marks }) => marks.flat().map(({ outcome }) => outcome)));
  return (
    <p className="flow caption matrix-legend">
      {[...outcomes].map((outcome) => (
        <StatusWord key={outcome} status={outcome} />
      ))}
      <span>
        Each mark is one attempt and opens its trial; c/n is how many pass. A few attempts seldom separate{" "}
        {groups === 2 ? "two groups" : "groups"} on one task.
      </span>
    </p>
  );
}

/** Explains an empty matrix; with several filters on it cannot name one. */
function explainEmpty({ matrix }: Comparison, { change, show }: CompareParams): string {
  if (matrix.counts.all === 0) return "No trial of the chosen groups has a result yet.";
  if (change !== "any") return "Remove the chip above to see the others.";
  return show === "differ"
    ? "All groups have the same mean reward on every common task."
    : "Every group passes all or none of its attempts at each task.";
}

const VERDICTS: Readonly<Record<MarkVerdict, string>> = {
  "pass-against": "reviewers pass, verifier does not",
  "fail-against": "reviewers fail, verifier passes",
  agrees: "reviewers agree with the verifier",
  open: "undecided",
};

function MarkLegend({ matrix: { colours, verdicts }, params }: { matrix: Matrix; params: CompareParams }) {
  const nJudged = MARK_VERDICTS.reduce((sum, verdict) => sum + verdicts[verdict], 0);
  const hasVerdicts = params.hasVerdicts && nJudged > 0;
  return colours.scale === null && !hasVerdicts ? null : (
    <div className="flow mark-bar" role="group" aria-label="What marks show">
      {colours.scale === null ? null : <ScaleLegend scale={colours.scale} />}
      {hasVerdicts ? <VerdictLegend counts={verdicts} /> : null}
    </div>
  );
}

function VerdictLegend({ counts }: { counts: Matrix["verdicts"] }) {
  const keys = MARK_VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => [nameVerdict(verdict), `${VERDICTS[verdict]}, ${formatCount(counts[verdict])}`] as const,
  );
  return <Scale keys={keys}>Attempts of all tasks, against the verifier’s outcome.</Scale>;
}

function ScaleLegend({ scale: { measure, steps, range, nKnown, nUnknown } }: { scale: MarkScale }) {
  const unknown = `${measure === "reward" ? "no reward" : "unknown"}, ${formatCount(nUnknown)}`;
  const keys = [
    ...steps.map((words, level) => [nameLevel(level), words] as const),
    ...(nUnknown === 0 ? [] : [[nameLevel(null), unknown] as const]),
  ];
  return (
    <Scale keys={keys}>
      {range === null
        ? `No attempt records its ${measure}.`
        : `${formatPlural(nKnown, "attempt")}, ${range[0] === range[1] ? `all ${range[0]}` : `${range[0]} to ${range[1]}`}.`}
    </Scale>
  );
}

function Scale({
  keys,
  children,
}: {
  keys: readonly (readonly [className: string, words: string])[];
  children: string;
}) {
  return (
    <span className="caption flow mark-scale">
      {keys.map(([className, words]) => (
        <span key={words} className="status-word">
          <span className={`mark-tile ${className}`} aria-hidden="true" />
          {words}
        </span>
      ))}
      <span>{children}</span>
    </span>
  );
}
