import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Notice } from "@/components/ui/notice";
import { PartPager } from "@/components/ui/pager";
import { column, type DataColumn } from "@/components/ui/table-columns";
import type { TestTally } from "@/lib/core/domain/tally-tests";
import { PART_SIZES } from "@/lib/core/domain/trial-lists";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatTextSource } from "@/lib/core/format/words";
import { diffHref, type DiffParams } from "@/lib/pages/diff/address";
import type { DiffPage } from "@/lib/pages/diff/page";
import type { ComparedTest } from "@/lib/read/trial-reading";

import { DIMENSION_COLUMNS } from "./diff-overview";
import { makeSideColumns, TestStatus } from "./diff-values";

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
  if (nTests === null || nFailed === null) return `${letter} states no totals${from}.`;
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
