import type { ReactNode } from "react";

import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { capitalise } from "@/lib/core/format/words";
import { diffHref, type DiffParams, type DiffTab } from "@/lib/pages/diff/address";
import type { DiffPage, DimensionRow, ResultRow } from "@/lib/pages/diff/page";
import type { ComparedTest } from "@/lib/read/trial-reading";

import { shortTestName } from "../trial/verifier/tests-panel";
import {
  formatResultDifference,
  formatScoreDifference,
  makeDifferenceColumn,
  makeSideColumns,
  RESULT_LABELS,
  ResultValue,
  ScoreText,
  TestStatus,
} from "./diff-values";

import "./diff-overview.css";

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
        columns={TEST_COLUMNS}
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

function Differing<Row>({
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

const TEST_COLUMNS: readonly DataColumn<ComparedTest>[] = [
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

export const DIMENSION_COLUMNS: readonly DataColumn<DimensionRow>[] = [
  column("Dimension", ({ name }) => <span title={name}>{name}</span>, { className: "name", phone: "first" }),
  ...makeSideColumns<DimensionRow>((score) => <ScoreText score={score} />, { numeric: true }),
  makeDifferenceColumn(formatScoreDifference),
];
