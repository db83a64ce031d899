import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import type { DataColumn } from "@/components/ui/table-columns";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { besideHref, type BesideParams, type BesideTab } from "@/lib/pages/beside/address";
import type { BesidePage, DimensionRow, ResultRow } from "@/lib/pages/beside/page";
import type { ComparedTest } from "@/lib/read/trial-reading";

import { shortTestName } from "../trial/verifier/tests-panel";
import {
  formatResultDifference,
  formatScoreDifference,
  RESULT_LABELS,
  ResultValue,
  ScoreText,
  TestStatus,
} from "./beside-values";

import "./beside-overview.css";

const MOST_ROWS = 5;

export function BesideOverview({ page, params }: { page: BesidePage; params: BesideParams }) {
  const { tests, dimensions } = page.reading;
  const firstTests = params.tests === 0 ? tests.rows : [];
  return (
    <div className="beside-overview">
      <section aria-label="Result">
        <div className="beside-section-head">
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
      <section aria-label="Differing tests">
        <div className="beside-section-head">
          <h2>Tests</h2>
          <CountLink params={params} tab="tests" nDiffering={tests.nDiffering} total={tests.part.total} />
        </div>
        {tests.part.total === 0 ? (
          <p className="caption">{describeNoTests(page)}</p>
        ) : (
          <>
            <DataTable
              caption="Tests that differ first"
              className="table-compact"
              columns={TEST_COLUMNS}
              rows={firstTests.slice(0, MOST_ROWS)}
              rowKey={(_, at) => at}
            />
            <Rest n={tests.part.total - Math.min(MOST_ROWS, firstTests.length)} noun="test" />
          </>
        )}
      </section>
      <section aria-label="Differing dimensions">
        <div className="beside-section-head">
          <h2>Dimensions</h2>
          <CountLink
            params={params}
            tab="dimensions"
            nDiffering={dimensions.nDiffering}
            total={dimensions.total}
          />
        </div>
        {dimensions.total === 0 ? (
          <p className="caption">Neither verifier left dimensions.</p>
        ) : (
          <>
            <DataTable
              caption="Dimensions that differ first"
              className="table-compact"
              columns={DIMENSION_COLUMNS}
              rows={page.dimensionRows.slice(0, MOST_ROWS)}
              rowKey={({ name }) => name}
            />
            <Rest n={dimensions.total - Math.min(MOST_ROWS, page.dimensionRows.length)} noun="dimension" />
          </>
        )}
      </section>
    </div>
  );
}

function Rest({ n, noun }: { n: number; noun: string }) {
  return n <= 0 ? null : <p className="caption">and {formatPlural(n, `more ${noun}`)}</p>;
}

function CountLink({
  params: { a, b },
  tab,
  nDiffering,
  total,
}: {
  params: BesideParams;
  tab: BesideTab;
  nDiffering: number | null;
  total: number;
}) {
  if (total === 0) return null;
  return (
    <Link className="caption" href={besideHref({ a, b, tab })} mode="stay">
      {nDiffering === null
        ? `${formatCount(total)} in one trial alone`
        : `${formatCount(nDiffering)} of ${formatCount(total)} differ`}
    </Link>
  );
}

function describeNoTests({ reading: { tests } }: BesidePage): string {
  const { a, b } = tests.tallies;
  if (a === null && b === null) return "Neither verifier left a test report.";
  return "The test reports state totals and name no test.";
}

function listResultColumns({ a, b }: BesidePage): readonly DataColumn<ResultRow>[] {
  return [
    {
      id: "name",
      header: <span className="screen-reader">Result</span>,
      cell: ({ name }) => RESULT_LABELS[name],
      meta: { phone: "first" },
    },
    {
      id: "a",
      header: "A",
      cell: (row) => <ResultValue name={row.name} value={row.a} of={a} />,
      meta: { numeric: true, phone: "labelled" },
    },
    {
      id: "b",
      header: "B",
      cell: (row) => <ResultValue name={row.name} value={row.b} of={b} />,
      meta: { numeric: true, phone: "labelled" },
    },
    {
      id: "difference",
      header: "A − B",
      cell: formatResultDifference,
      meta: { numeric: true, label: "A − B", phone: "labelled" },
    },
  ];
}

const TEST_COLUMNS: readonly DataColumn<ComparedTest>[] = [
  {
    id: "name",
    header: "Test",
    cell: ({ name }) => (
      <code className="cut" title={name}>
        {shortTestName(name)}
      </code>
    ),
    meta: { className: "name", phone: "first" },
  },
  {
    id: "a",
    header: "A",
    cell: ({ a }) => <TestStatus result={a} />,
    meta: { phone: "labelled", width: 88 },
  },
  {
    id: "b",
    header: "B",
    cell: ({ b }) => <TestStatus result={b} />,
    meta: { phone: "labelled", width: 88 },
  },
];

export const DIMENSION_COLUMNS: readonly DataColumn<DimensionRow>[] = [
  {
    id: "name",
    header: "Dimension",
    cell: ({ name }) => <span title={name}>{name}</span>,
    meta: { className: "name", phone: "first" },
  },
  {
    id: "a",
    header: "A",
    cell: ({ a }) => <ScoreText score={a} />,
    meta: { numeric: true, phone: "labelled" },
  },
  {
    id: "b",
    header: "B",
    cell: ({ b }) => <ScoreText score={b} />,
    meta: { numeric: true, phone: "labelled" },
  },
  {
    id: "difference",
    header: "A − B",
    cell: formatScoreDifference,
    meta: { numeric: true, label: "A − B", phone: "labelled" },
  },
];
