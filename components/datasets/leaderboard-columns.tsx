import type { ReactNode } from "react";

import { intervalColumn, IntervalPlot } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { type DataColumn, listUnknownColumns } from "@/components/ui/table-columns";
import { TickAll } from "@/components/ui/tick-all";
import { Unknown } from "@/components/ui/values";
import { Correction } from "@/components/verifier/correction";
import { formatPlural, formatReward } from "@/lib/core/format/number";
import { jobHref } from "@/lib/pages/address/href";
import { type DatasetParams, nameFamilyColumn } from "@/lib/pages/datasets/address";
import type { LeaderboardLine, LeaderboardPage } from "@/lib/pages/datasets/leaderboard";

/** Width of the plot of scores, and what each family column and the corrected scores take from it. */
const PLOT_WIDTH = 340;
const PLOT_WIDTH_MIN = 100;
const FAMILY_WIDTH = 24;
const CORRECTED_WIDTH = 72;

export const COMPARE_FORM = "compare-leaderboard";

type Column = DataColumn<LeaderboardLine>;

/** A column that orders the rows. */
function sorted(
  id: string,
  header: ReactNode,
  meta: Column["meta"],
  cell: Column["cell"],
  isFilled?: Column["isFilled"],
): Column {
  return { id, header, meta: { sort: id, ...meta }, cell, ...(isFilled === undefined ? {} : { isFilled }) };
}

export function listLeaderboardColumns(page: LeaderboardPage): readonly Column[] {
  const { families, nTasks, end, lines } = page;
  const isCorrected = lines.some(({ correction }) => correction !== null);
  const taken = FAMILY_WIDTH * families.length + (isCorrected ? CORRECTED_WIDTH : 0);
  const width = Math.max(PLOT_WIDTH_MIN, PLOT_WIDTH - taken);
  return [
    SELECT,
    RANK,
    GROUP,
    sorted("score", "Score", { numeric: true, phone: "score" }, ({ scoreText, score }) =>
      score === null ? <Unknown title="No score" /> : <b>{scoreText}</b>,
    ),
    intervalColumn(
      (line) => (
        <>
          <ScorePlot line={line} end={end} width={width} />
          <span className="phone-only">{line.bounds === null ? "" : line.range}</span>
        </>
      ),
      { words: "Interval", width, end },
      { label: "Interval", phone: "below" },
    ),
    CORRECTED,
    COST,
    { ...tasksColumn(nTasks), startsHidden: lines.every((line) => line.nTasks === nTasks) },
    { ...ATTEMPTS, startsHidden: isConstant(lines.map(({ attempts }) => attempts)) },
    ...families.map(({ name, nTasks: nOwn }, at) => familyColumn(name, nOwn, at)),
    { ...FIGURES, startsHidden: isConstant(lines.map(({ recorded }) => recorded)) },
    COMPARABLE,
  ];
}

/** Constants are listed once, below the table. */
function isConstant(values: readonly unknown[]): boolean {
  return new Set(values).size < 2;
}

/** Returns what the hidden columns of {@link listLeaderboardColumns} would repeat in every row. */
export function describeConstants({ lines, nTasks }: LeaderboardPage): string {
  const [first] = lines;
  if (first === undefined) return "";
  return [
    ...(lines.every((line) => line.nTasks === nTasks) ? [`all ${formatPlural(nTasks, "task")}`] : []),
    ...(isConstant(lines.map(({ attempts }) => attempts)) ? [`attempts per task: ${first.attempts}`] : []),
    ...(isConstant(lines.map(({ recorded }) => recorded)) ? [`figures: ${first.recorded}`] : []),
  ].join(", ");
}

export function listUnknownOrder(
  page: LeaderboardPage,
  { columns, sort }: Pick<DatasetParams, "columns" | "sort">,
): readonly string[] {
  const own = listLeaderboardColumns(page);
  const isSort = sort === null || own.some(({ meta }) => meta?.sort === sort);
  return [...listUnknownColumns(own, columns), ...(isSort ? [] : ["sort"])];
}

const SELECT: Column = {
  id: "select",
  header: <TickAll formId={COMPARE_FORM} label="Select all groups" />,
  enableHiding: false,
  meta: { width: 26, phone: "side", label: "Select" },
  cell: ({ refs, label }) => (
    <input
      type="checkbox"
      name="g"
      value={refs[0]}
      data-refs={refs.length === 1 ? undefined : JSON.stringify(refs)}
      form={COMPARE_FORM}
      aria-label={`Select ${label}`}
    />
  ),
};

const GROUP: Column = {
  ...sorted(
    "group",
    "Group",
    { ascends: true, isRowHeader: true, phone: "first", className: "name leaderboard-name" },
    (line) => <GroupCell line={line} />,
  ),
  enableHiding: false,
};

const CORRECTED = sorted(
  "corrected",
  "Corrected",
  {
    title: "Human-corrected score, from randomly sampled labels; the thin line in the plot",
    phone: "labelled",
  },
  ({ correction, uncorrected, score }) =>
    correction === null ? (
      <Unknown title={uncorrected} />
    ) : (
      <Correction correction={correction} mean={score} />
    ),
  ({ correction }) => correction !== null,
);

const COST = sorted(
  "cost",
  "$ a trial",
  { numeric: true, phone: "labelled", title: "Mean cost of the trials that record one" },
  ({ cost, costBasis }) => <span title={costBasis}>{cost}</span>,
);

const ATTEMPTS = sorted(
  "attempts",
  "Attempts",
  { numeric: true, room: "minor", title: "Finished attempts per task" },
  ({ attempts }) => attempts,
);

const FIGURES: Column = {
  id: "figures",
  header: "Figures",
  meta: { room: "minor", className: "muted", title: "Recorded figures, checked against the trials" },
  cell: ({ recorded, recordedBasis }) => <span title={recordedBasis}>{recorded}</span>,
};

const COMPARABLE = sorted(
  "comparable",
  "Comparable",
  { ascends: true, phone: "end", title: "Conditions, compared with most other groups" },
  ({ marks }) => <Comparable marks={marks} />,
  ({ marks }) => marks.length > 0,
);

const RANK: Column = {
  ...sorted(
    "rank",
    "Rank",
    { ascends: true, numeric: true, phone: "labelled", title: "All places that the data allow" },
    ({ rankText, rank }) =>
      rank === null ? <Unknown title="No rank" /> : <b className="nowrap">{rankText}</b>,
  ),
  enableHiding: false,
};

function tasksColumn(nTasks: number): Column {
  const meta = { numeric: true, room: "minor", title: "Tasks with a finished trial" } as const;
  return sorted("tasks", "Tasks", meta, (line) => (
    <span className={line.nTasks === nTasks ? "muted" : undefined}>
      {line.nTasks} of {nTasks}
    </span>
  ));
}

function familyColumn(name: string, nTasks: number, at: number): Column {
  const header = <span className="cut leaderboard-family">{name}</span>;
  const title = `${name}: ${String(nTasks)} tasks`;
  const meta = { numeric: true, label: name, room: "minor", title } as const;
  return sorted(nameFamilyColumn(name), header, meta, ({ families }) => {
    const { text = "", isBest = false } = families[at] ?? {};
    return isBest ? <b>{text}</b> : text;
  });
}

function GroupCell({ line: { label, jobs, agents, beside } }: { line: LeaderboardLine }) {
  const [job] = jobs;
  const words = `${agents.join(", ")} in ${jobs.map(({ name }) => name).join(", ")}`;
  return (
    <span className="leaderboard-group" title={words}>
      {job === undefined ? (
        label
      ) : (
        <Link className="cut" href={jobHref(job.key)} data-row-link="">
          {label}
        </Link>
      )}
      <span className="muted cut leaderboard-job">{beside}</span>
    </span>
  );
}

function ScorePlot({ line, end, width }: { line: LeaderboardLine; end: number; width: number }) {
  const { score, scoreText, bounds, range, basis, correction } = line;
  if (score === null) return <IntervalPlot title="No score" width={width} end={end} mark={null} />;
  const corrected = correction?.kind === "computed" ? correction.corrected : undefined;
  const beside = corrected === undefined ? "" : `; corrected ${formatReward(corrected)}`;
  const interval = bounds === null ? "no interval" : `95 % from ${range}`;
  return (
    <IntervalPlot
      title={`${scoreText}, ${interval}${beside}. ${basis}`}
      width={width}
      end={end}
      mark={{ value: score, low: bounds?.low ?? score, high: bounds?.high ?? score, other: corrected }}
    />
  );
}

function Comparable({ marks }: Pick<LeaderboardLine, "marks">) {
  const differing = marks.filter(({ state }) => state === "differs");
  const [first] = differing;
  const status = marks.length === 0 ? "passed" : first === undefined ? "unscored" : "partial";
  return (
    <span className="status-word" title={marks.map(({ name, detail }) => `${name}: ${detail}`).join("\n")}>
      <Mark status={status} />
      {first === undefined ? (
        <span className={marks.length === 0 ? "muted leaderboard-alike" : "muted"}>
          {marks.length === 0 ? "same" : `${String(marks.length)} not recorded`}
        </span>
      ) : (
        <>
          <span className="cut leaderboard-differs">{first.short}</span>
          {differing.length === 1 ? null : <span className="muted"> +{differing.length - 1}</span>}
        </>
      )}
    </span>
  );
}
