import { AgentMark } from "@/components/ui/agent-mark";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { formatCount } from "@/lib/core/format/number";
import { errorsHref } from "@/lib/pages/errors/address";
import type { ExceptionRow, TagsPanel } from "@/lib/pages/job/errors";
import type { JobPage } from "@/lib/pages/job/page";
import { trialsPageHref, type TrialsParams } from "@/lib/pages/trials/address";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "../derived-details-reading";

import "../job-page.css";

/** A column of each group, if there are several. */
function listGroups<Row>(
  { job, groups, shown }: JobPage,
  countsOf: (row: Row) => readonly number[],
  filterOf: (row: Row) => Partial<TrialsParams>,
): readonly DataColumn<Row>[] {
  if (groups.length < 2) return [];
  return shown.groups.map(({ group, identity }, at) => ({
    id: group.key,
    header: (
      <span className="agent-name">
        <AgentMark identity={identity} />
        {group.agent}
      </span>
    ),
    meta: { numeric: true, title: group.key },
    cell: (row) => (
      <Count
        value={countsOf(row)[at] ?? 0}
        href={trialsPageHref(job.key, { ...filterOf(row), groups: [group.key] })}
      />
    ),
  }));
}

/** Bytes of the rows of each table, of a row without its links, and of a link without its names. */
const MAX_ROWS_BYTES = 450_000;
const ROW_BYTES = 500;
const LINK_BYTES = 200;

function fitRows<T extends { readonly counts: readonly number[] }>(
  { job, shown }: JobPage,
  rows: readonly T[],
  nameOf: (row: T) => string,
  firstCount = 0,
): readonly T[] {
  const jobBytes = LINK_BYTES + countAddressBytes(job.key);
  const groups = shown.groups.map(({ group }) => countAddressBytes(group.key));
  return takeFitting(rows, MAX_ROWS_BYTES, (row) => {
    const linkBytes = jobBytes + countAddressBytes(nameOf(row));
    const links = groups.map((bytes, at) =>
      (row.counts[firstCount + at] ?? 0) > 0 ? bytes + linkBytes : 20,
    );
    return links.reduce((sum, bytes) => sum + bytes, ROW_BYTES + 2 * linkBytes + countPageBytes(nameOf(row)));
  });
}

export function JobExceptions({ page, rows: all }: { page: JobPage; rows: readonly ExceptionRow[] }) {
  const { key } = page.job;
  const rows = fitRows(page, all, ({ type }) => type);
  if (rows.length === 0) return null;
  const filterOf = ({ type }: ExceptionRow) => ({ exceptions: [type] });
  const columns: readonly DataColumn<ExceptionRow>[] = [
    column(
      "Exception type",
      (row) => (
        <Link href={trialsPageHref(key, filterOf(row))} data-row-link="">
          {row.type}
        </Link>
      ),
      { className: "name" },
    ),
    column("Trials", (row) => formatCount(row.nTrials), { numeric: true }),
    ...listGroups(page, ({ counts }: ExceptionRow) => counts, filterOf),
    column("With a reward", ({ nWithReward }) => <Count value={nWithReward} />, {
      numeric: true,
      title: "Scored anyway",
    }),
    column(
      "Passed",
      (row) => (
        <Count value={row.nPassed} href={trialsPageHref(key, { ...filterOf(row), outcomes: ["passed"] })} />
      ),
      { numeric: true, title: "Passed anyway" },
    ),
    column("First message", ({ message }) => (message === null ? <Unknown /> : cutMessage(message)), {
      room: "minor",
      className: "wrap muted",
    }),
  ];
  return (
    <Section title="Exceptions" note="One per trial: its own, or that of one of its steps">
      <CutNote shown={rows.length} total={all.length}>
        <Link href={errorsHref({ jobs: [key] })}>All errors</Link> can be filtered by text.
      </CutNote>
      <DataTable caption="Exceptions by type" columns={columns} rows={rows} rowKey={({ type }) => type} />
    </Section>
  );
}

type TagRow = TagsPanel["rows"][number];

const MESSAGE_CHARS = 160;

function cutMessage(message: string): string {
  const line = message.trim().split("\n")[0] ?? "";
  return line.length > MESSAGE_CHARS ? `${line.slice(0, MESSAGE_CHARS)}…` : line;
}

export function JobTags({ page, panel }: { page: JobPage; panel: TagsPanel }) {
  const { key } = page.job;
  const { nCategories, state } = panel;
  const rows = fitRows(page, panel.rows, ({ category }) => category, page.shown.part.from);
  if (rows.length === 0) return state === "reading" ? <DerivedDetailsReading what="Error tags" /> : null;
  const columns: readonly DataColumn<TagRow>[] = [
    column(
      "Category",
      ({ category }) => (
        <Link href={trialsPageHref(key, { tags: [category] })} data-row-link="">
          {category}
        </Link>
      ),
      { className: "name" },
    ),
    column("Trials", (row) => formatCount(row.nTrials), { numeric: true }),
    ...listGroups(
      page,
      ({ counts }: TagRow) => counts.slice(page.shown.part.from),
      ({ category }) => ({ tags: [category] }),
    ),
    column("Named by", ({ sources }) => sources.join(", "), { className: "muted" }),
  ];
  return (
    <Section
      title="Error tags"
      note={`Causes recorded by verifiers, judges and analyses; a trial may have several${nCategories > rows.length ? `. The ${formatCount(rows.length)} most frequent of ${formatCount(nCategories)} are listed` : ""}`}
    >
      {state === "reading" ? <DerivedDetailsOutdated /> : null}
      <DataTable
        caption="Error tags by category"
        columns={columns}
        rows={rows}
        rowKey={({ category }) => category}
      />
    </Section>
  );
}
