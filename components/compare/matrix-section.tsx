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
import { COMPARE_SORTS, type CompareShow, type MarkColour } from "@/lib/core/domain/compare-filter";
import { MARK_BYTES, MOST_MARKS, MARK_VERDICTS, type MarkVerdict } from "@/lib/core/domain/matrix-marks";
import { countAddressBytes, countPageBytes, takeFittingEach } from "@/lib/core/domain/page-bytes";
import { formatPlural, formatCount } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { compareParamsHref, type CompareParams } from "@/lib/pages/compare/address";
import type { MatrixPart, Matrix } from "@/lib/pages/compare/matrix";
import type { Comparison } from "@/lib/pages/compare/page";

import { nameChange } from "./changes-section";
import { nameLevel, nameVerdict } from "./mark-classes";
import { listMatrixColumns, listTask, type MatrixLine } from "./matrix-columns";
import { MatrixPicks, PickToggle } from "./matrix-picks";

import "./matrix-section.css";
import { MatrixRowScope, MatrixScope } from "./matrix-scope";
import { Segment } from "./segment";

import "./mark-bar.css";

const SORTS: readonly { value: CompareParams["sort"]; label: string; title: string }[] = [
  { value: "difference", label: "Difference", title: "The best of the others minus the first group" },
  { value: "difficulty", label: "Difficulty", title: "Lowest mean reward over all groups first" },
  { value: "disagreement", label: "Disagreement", title: "Best group minus worst" },
  { value: "cost", label: "Cost", title: "Mean cost of an attempt over all groups" },
  { value: "task", label: "Name", title: "Task name" },
];

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
        <ShowLink params={params} show="differ" label={`Any two differ ${matrix.counts.differ}`} />
        {matrix.hasRepeats ? (
          <ShowLink params={params} show="flaky" label={`Flaky for any ${matrix.counts.flaky}`} />
        ) : null}
        {params.change === "any" ? null : (
          <FilterChip removeHref={compareParamsHref(params, { change: "any" })}>
            <span className="cut" title={nameChange(params.change, comparison)}>
              {nameChange(params.change, comparison)}
            </span>
          </FilterChip>
        )}
        {matrix.nFamilies > 1 && matrix.nFamilies < matrix.counts.all ? (
          <Link
            className={params.by === "family" ? "chip chip-on" : "chip"}
            href={compareParamsHref(params, { by: params.by === "family" ? "difference" : "family" })}
            aria-current={params.by === "family" ? "true" : undefined}
            mode="replace"
          >
            By family {matrix.nFamilies}
          </Link>
        ) : null}
        <span className="matrix-sorts">
          <span className="muted">Sort</span>
          <Segment
            label="Sort order of tasks"
            value={params.sort}
            options={SORTS.filter(({ value }) => value !== "cost" || matrix.hasCost)}
            hrefOf={(sort) => compareParamsHref(params, { sort, descending: sort !== "task" })}
          />
        </span>
      </div>
      <MatrixPicks>
        <MarkBar matrix={matrix} params={params} />
        <Pager {...pager} label="Pages of the tasks" />
        {matrix.parts.length === 0 ? (
          <Notice title={matrix.counts.all === 0 ? "These groups have no tasks" : "No tasks match"}>
            {explainEmpty(comparison, params)}
          </Notice>
        ) : (
          <MatrixTable comparison={comparison} params={params} lines={lines} />
        )}
        <Pager {...pager} label="Pages of the tasks, below" />
        <Legend lines={lines} groups={groups.length} />
      </MatrixPicks>
    </section>
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
              {part.family ?? namePart(part.id, comparison)}{" "}
              <span className="muted">{formatPlural(part.nRows, "task")}</span>
            </>
          )
        }
        around={({ task }, drawn) => <MatrixRowScope list={listTask(task)}>{drawn}</MatrixRowScope>}
      />
    </MatrixScope>
  );
}

const MAX_MARKS_BYTES = 700_000;

/** Longer task names drop what all names of a page begin or end with. */
const LONGEST_NAME = 20;

function listLines({ matrix, groups }: Comparison): readonly MatrixLine[] {
  const jobBytes = Math.max(
    ...groups.flatMap(({ runs }) => runs.map(({ job }) => countAddressBytes(job.key))),
  );
  const rows = matrix.parts.flatMap((part) => part.rows.map((row) => ({ ...row, part })));
  const marks = takeFittingEach(
    rows.flatMap(({ cells }) => cells.map(({ attempts }) => attempts.slice(0, MOST_MARKS))),
    MAX_MARKS_BYTES,
    // The trial name is sent twice: as text and in the URL.
    ({ key, detail = "" }) =>
      MARK_BYTES +
      jobBytes +
      countAddressBytes(key ?? "") +
      countPageBytes(key ?? "") +
      countPageBytes(detail),
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
  const single = pairs.length === 1 ? pairs[0]?.first.label : undefined;
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
    case "family":
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
        Each mark is one attempt and opens its trial; c/n is how many pass. A few attempts seldom separate{" "}
        {groups === 2 ? "two groups" : "groups"} on one task.
      </span>
    </p>
  );
}

/** Explains an empty matrix; with several filters on it cannot name one. */
function explainEmpty({ matrix }: Comparison, { change, show }: CompareParams): string {
  if (matrix.counts.all === 0) return "No trial of the chosen groups has a result yet.";
  if (change !== "any") return "Remove the chip of changed tasks above to see the others.";
  return show === "differ"
    ? "All groups have the same mean reward on every common task."
    : "Every group passes all or none of its attempts at each task.";
}

const COLOURS: Readonly<Record<MarkColour, { readonly label: string; readonly title: string }>> = {
  outcome: { label: "Outcome", title: "Outcome of the attempt" },
  reward: { label: "Reward", title: "Reward of the attempt" },
  cost: { label: "Cost", title: "Cost of the attempt in US dollars" },
  time: { label: "Time", title: "Duration of the attempt" },
  tokens: { label: "Tokens", title: "Input and output tokens of the attempt" },
};

const VERDICTS: Readonly<Record<MarkVerdict, string>> = {
  "pass-against": "reviewers pass, verifier does not",
  "fail-against": "reviewers fail, verifier passes",
  agrees: "reviewers agree with the verifier",
  open: "undecided",
};

function MarkBar({ matrix: { colours, verdicts }, params }: { matrix: Matrix; params: CompareParams }) {
  const { options, scale } = colours;
  const nJudged = MARK_VERDICTS.reduce((sum, verdict) => sum + verdicts[verdict], 0);
  const isOn = params.hasVerdicts;
  return (
    <div className="mark-bar" role="group" aria-label="What marks show">
      {options.length < 2 ? null : (
        <span className="mark-bar-choice">
          <span className="muted">Colour</span>
          <Segment
            label="Colour of marks"
            value={params.colour}
            options={options.map((value) => ({ value, ...COLOURS[value] }))}
            hrefOf={(colour) => compareParamsHref(params, { colour })}
          />
        </span>
      )}
      {nJudged === 0 ? null : (
        <Link
          className={isOn ? "chip chip-on" : "chip"}
          href={compareParamsHref(params, { hasVerdicts: !isOn })}
          aria-current={isOn ? "true" : undefined}
          title="Marks reviewers’ verdicts on attempts"
          mode="replace"
        >
          Verdicts {formatCount(nJudged)}
        </Link>
      )}
      <PickToggle />
      {scale === null ? null : <ScaleLegend scale={scale} />}
      {isOn && nJudged > 0 ? <VerdictLegend counts={verdicts} /> : null}
    </div>
  );
}

function VerdictLegend({ counts }: { counts: Matrix["verdicts"] }) {
  return (
    <span className="caption mark-scale">
      {MARK_VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => (
        <span key={verdict} className="mark-key">
          <span className={`mark-tile ${nameVerdict(verdict)}`} aria-hidden="true" />
          {VERDICTS[verdict]}, {formatCount(counts[verdict])}
        </span>
      ))}
      <span>Attempts of all tasks, against the verifier’s outcome.</span>
    </span>
  );
}

function ScaleLegend({ scale: { measure, steps, range, nKnown, nUnknown } }: { scale: MarkScale }) {
  return (
    <span className="caption mark-scale">
      {steps.map((words, level) => (
        <span key={words} className="mark-key">
          <span className={`mark-tile ${nameLevel(level)}`} aria-hidden="true" />
          {words}
        </span>
      ))}
      {nUnknown === 0 ? null : (
        <span className="mark-key">
          <span className={`mark-tile ${nameLevel(null)}`} aria-hidden="true" />
          {measure === "reward" ? "no reward" : "unknown"}, {formatCount(nUnknown)}
        </span>
      )}
      <span>
        {range === null
          ? `No attempt records its ${measure}.`
          : `${formatPlural(nKnown, "attempt")}, ${range[0] === range[1] ? `all ${range[0]}` : `${range[0]} to ${range[1]}`}.`}
      </span>
    </span>
  );
}
