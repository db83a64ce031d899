import type { RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";

import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { PartPager } from "@/components/ui/pager";
import { type ColumnMeta, type DataColumn, column } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import type { TestTally } from "@/lib/core/domain/tally-tests";
import { PART_SIZES } from "@/lib/core/domain/trial-lists";
import { trimEndOf } from "@/lib/core/domain/trim-end";
import { MISSING, formatCost, formatCount, formatDifference, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { capitalise, formatTextSource } from "@/lib/core/format/words";
import { type DiffParams, type DiffTab, diffHref } from "@/lib/pages/diff/address";
import type { DiffPage, DiffTrial, DimensionRow, ResultName, ResultRow } from "@/lib/pages/diff/page";
import type { ComparedTest, DimensionScore, TestResult } from "@/lib/read/trial-reading";

import { TestWord, shortTestName } from "../trial/verifier/tests-panel";

const MOST_ROWS = 5;

export function DiffOverview({ page, params }: { page: DiffPage; params: DiffParams }) {
  const { tests, dimensions } = page.reading;
  return (
    <div className="diff-overview">
      <section aria-label="Result">
        <div className="aside-head">
          <h2>Result</h2>
        </div>
        <DataTable
          caption="Results of both trials"
          className="table-compact"
          columns={listResultColumns(page)}
          rows={page.results}
          rowKey={({ name }) => name}
        />
      </section>
      <Differing
        noun="test"
        none={describeNoTests(page)}
        columns={SHORT_TEST_COLUMNS}
        rows={params.tests === 0 ? tests.rows : []}
        total={tests.part.total}
        link={
          <CountLink params={params} tab="tests" nDiffering={tests.nDiffering} total={tests.part.total} />
        }
      />
      <Differing
        noun="dimension"
        none="Neither verifier wrote dimensions."
        columns={DIMENSION_COLUMNS}
        rows={page.dimensionRows}
        total={dimensions.total}
        link={<CountLink params={params} tab="dimensions" {...dimensions} />}
      />
    </div>
  );
}

function Differing<Row extends RowData>({
  noun,
  none,
  columns,
  rows,
  total,
  link,
}: {
  noun: string;
  none: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  total: number;
  link: ReactNode;
}) {
  const shown = rows.slice(0, MOST_ROWS);
  const title = `${capitalise(noun)}s`;
  return (
    <section aria-label={`Differing ${noun}s`}>
      <div className="aside-head">
        <h2>{title}</h2>
        {link}
      </div>
      {total === 0 ? (
        <p className="caption">{none}</p>
      ) : (
        <DataTable
          caption={`${title} that differ first`}
          className="table-compact"
          columns={columns}
          rows={shown}
          rowKey={(_, at) => at}
        />
      )}
      {total > shown.length ? (
        <p className="caption">and {formatPlural(total - shown.length, `more ${noun}`)}</p>
      ) : null}
    </section>
  );
}

function CountLink({
  params: { a, b },
  tab,
  nDiffering,
  total,
}: {
  params: DiffParams;
  tab: DiffTab;
  nDiffering: number | null;
  total: number;
}) {
  if (total === 0) return null;
  return (
    <Link className="caption" href={diffHref({ a, b, tab })} mode="stay">
      {nDiffering === null
        ? `${formatCount(total)} in one trial only`
        : `${formatCount(nDiffering)} of ${formatCount(total)} differ`}
    </Link>
  );
}

function describeNoTests({ reading: { tests } }: DiffPage): string {
  const { a, b } = tests.tallies;
  if (a === null && b === null) return "Neither verifier wrote a test report.";
  return "The test reports have totals but no test names.";
}

function listResultColumns(page: DiffPage): readonly DataColumn<ResultRow>[] {
  return [
    {
      id: "name",
      header: <span className="screen-reader">Result</span>,
      cell: ({ name }) => RESULT_LABELS[name],
      meta: { phone: "first" },
    },
    ...makeSideColumns<ResultRow>(
      (value, { name }, letter) => <ResultValue name={name} value={value} of={page[letter]} />,
      { numeric: true },
    ),
    makeDifferenceColumn(formatResultDifference),
  ];
}

const SHORT_TEST_COLUMNS: readonly DataColumn<ComparedTest>[] = [
  column(
    "Test",
    ({ name }) => (
      <code className="cut" title={name}>
        {shortTestName(name)}
      </code>
    ),
    { className: "name", phone: "first" },
  ),
  ...makeSideColumns<ComparedTest>((result) => <TestStatus result={result} />, { width: 88 }),
];

const DIMENSION_COLUMNS: readonly DataColumn<DimensionRow>[] = [
  column("Dimension", ({ name }) => <span title={name}>{name}</span>, { className: "name", phone: "first" }),
  ...makeSideColumns<DimensionRow>((score) => <ScoreText score={score} />, { numeric: true }),
  makeDifferenceColumn(formatScoreDifference),
];

const RESULT_LABELS: Readonly<Record<ResultName, string>> = {
  reward: "Reward",
  steps: "Steps",
  duration: "Duration",
  tokens: "Tokens",
  cost: "Cost, $",
  errors: "Steps with an error",
};

const FORMATS: Readonly<Record<Exclude<ResultName, "reward">, (value: number | null) => string>> = {
  steps: formatCount,
  duration: formatDuration,
  tokens: formatCount,
  cost: formatCost,
  errors: formatCount,
};

function ResultValue({ name, value, of }: { name: ResultName; value: number | null; of: DiffTrial }) {
  if (name !== "reward") return value === null ? <Unknown /> : FORMATS[name](value);
  return (
    <span className="status-word">
      <Mark status={of.trial.outcome} />
      {of.headline === null ? (
        <Unknown title="No reward, or several and none named reward" />
      ) : (
        of.headline.text
      )}
    </span>
  );
}

function formatResultDifference({ name, difference }: ResultRow): string {
  if (difference === null) return MISSING;
  if (difference === 0) return "0";
  if (name === "reward") return trimZeros(formatDifference(difference, false));
  const text = FORMATS[name](Math.abs(difference));
  return `${difference > 0 ? "+" : "\u2212"}${text}`;
}

function trimZeros(text: string): string {
  return trimEndOf(trimEndOf(text, "0"), ".");
}

function TestStatus({ result }: { result: TestResult | null }): ReactNode {
  if (result === null) return <Unknown title="Not in this trial’s report">not there</Unknown>;
  return <TestWord status={result.status} />;
}

function ScoreText({ score }: { score: DimensionScore | null }): ReactNode {
  if (score === null) return <Unknown title="Not in this trial’s files">not there</Unknown>;
  if (score.scoreText === null) return <Unknown title="No score recorded" />;
  return (
    <span className="nowrap" title={score.scoreText}>
      {score.score === null || Number.isInteger(score.score) ? score.scoreText : shorten(score)}
      {score.maxScore === null || score.maxScore === 1 ? null : (
        <span className="muted"> / {score.maxScore}</span>
      )}
    </span>
  );
}

function shorten({ score, scoreText }: DimensionScore): string | null {
  return score !== null && Math.abs(score) < 1_000 ? score.toFixed(3) : scoreText;
}

function formatScoreDifference({ relation, difference, a, b }: DimensionRow): string {
  if (relation === "same") return a?.scoreText === null ? MISSING : "0";
  if (relation !== "differs") return MISSING;
  if (a?.maxScore !== b?.maxScore) return "other maximum";
  return difference === 0 ? "other text" : trimZeros(formatDifference(difference, false));
}

/** The columns of A and B. */
function makeSideColumns<Row extends { readonly a: unknown; readonly b: unknown }>(
  draw: (value: Row["a"] | Row["b"], row: Row, letter: "a" | "b") => ReactNode,
  meta: ColumnMeta,
): readonly DataColumn<Row>[] {
  return (["a", "b"] as const).map((letter) => ({
    id: letter,
    header: letter.toUpperCase(),
    cell: (row) => draw(row[letter], row, letter),
    meta: { ...meta, phone: "labelled" },
  }));
}

function makeDifferenceColumn<Row>(cell: (row: Row) => string): DataColumn<Row> {
  const header = "A − B";
  return { id: "difference", header, cell, meta: { numeric: true, label: header, phone: "labelled" } };
}

export function DiffTestsPanel({ page, params }: { page: DiffPage; params: DiffParams }) {
  const { rows, part, tallies, nDiffering, cutNote } = page.reading.tests;
  const lines = [describeTally("A", tallies.a), describeTally("B", tallies.b)];
  if (part.total === 0) {
    return (
      <Notice title="No test to compare">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </Notice>
    );
  }
  return (
    <>
      <p className="muted">
        {nDiffering === null
          ? ""
          : `${formatCount(nDiffering)} of ${formatPlural(part.total, "test")} ${differ(nDiffering)}. `}
        {lines.join(" ")}
      </p>
      <DataTable
        caption="Tests of both trials"
        columns={TEST_COLUMNS}
        rows={rows}
        rowKey={(_, at) => part.from + at}
      />
      {cutNote === null ? null : <p className="caption">{cutNote}</p>}
      <PartPager
        part={part}
        size={PART_SIZES.tests}
        noun="test"
        label="Pages of the tests"
        hrefOf={(from) => diffHref({ ...params, tests: from })}
      />
    </>
  );
}

function differ(count: number): string {
  return count === 1 ? "differs" : "differ";
}

function describeTally(letter: string, tally: TestTally | null): string {
  if (tally === null) return `${letter} has no test report.`;
  const { nTests, nFailed, textFiles } = tally;
  const source = formatTextSource(textFiles);
  const from = source === null ? "" : `, ${source}`;
  if (nTests === null || nFailed === null) return `${letter} records no totals${from}.`;
  return `${letter}: ${formatPlural(nTests, "test")}, ${formatCount(nFailed)} failed${from}.`;
}

const TEST_COLUMNS: readonly DataColumn<ComparedTest>[] = [
  ...makeSideColumns<ComparedTest>((result) => <TestStatus result={result} />, { width: 96 }),
  column(
    "Test",
    ({ name, step, a, b }) => (
      <>
        {step === null ? null : <span className="muted">{step}: </span>}
        <code>{name}</code>
        <Message letter="A" message={a?.message ?? null} />
        <Message letter="B" message={b?.message ?? null} />
      </>
    ),
    { className: "wrap", phone: "first" },
  ),
];

function Message({ letter, message }: { letter: string; message: string | null }) {
  if (message === null) return null;
  return (
    <p className="caption tests-message">
      <b>{letter}</b> {message}
    </p>
  );
}

export function DiffDimensionsPanel({ page: { dimensionRows, reading } }: { page: DiffPage }) {
  const { nDiffering, total } = reading.dimensions;
  if (total === 0) {
    return (
      <Notice title="No dimension to compare">
        Neither verifier left reward-details.json or details.json with dimensions.
      </Notice>
    );
  }
  return (
    <>
      <p className="muted">
        {nDiffering === null
          ? `${formatPlural(total, "dimension")} in one trial; the files of the other name none.`
          : `${formatCount(nDiffering)} of ${formatPlural(total, "dimension")} ${differ(nDiffering)}. “Not there” means that no file of the trial names it.`}
      </p>
      <DataTable
        caption="Dimensions of both trials"
        columns={DIMENSION_COLUMNS}
        rows={dimensionRows}
        rowKey={({ name }) => name}
      />
      <CutNote shown={dimensionRows.length} total={total} />
    </>
  );
}
