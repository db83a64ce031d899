import { AgentMark } from "@/components/ui/agent-mark";
import { ButtonLink } from "@/components/ui/button";
import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import { type Column, Table } from "@/components/ui/table";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { formatCount, MISSING } from "@/lib/core/format/number";
import { errorsHref } from "@/lib/pages/errors/address";
import { jobTrialsHref } from "@/lib/pages/job/address";
import type { ExceptionRow, TagsPanel } from "@/lib/pages/job/errors";
import type { JobPage } from "@/lib/pages/job/page";
import { triageHref } from "@/lib/pages/triage/address";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "../derived-details-reading";
import { CountCell } from "../groups/group-cells";

import "../job-page.css";

function listGroups({ groups, shown }: JobPage): readonly Column[] {
  if (groups.length < 2) return [];
  return shown.groups.map(({ group, identity }) => ({
    id: group.key,
    numeric: true,
    title: group.key,
    label: (
      <span className="agent-name">
        <AgentMark identity={identity} />
        {group.agent}
      </span>
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
  // Most failed trials have no exception.
  const triage = <ButtonLink href={triageHref({ jobs: [key] })}>Triage of this job</ButtonLink>;
  if (rows.length === 0)
    return (
      <Notice title="No exception" actions={triage}>
        No trial here ended with an exception.
      </Notice>
    );
  const columns: readonly Column[] = [
    { id: "type", label: "Exception type" },
    { id: "trials", label: "Trials", numeric: true },
    ...listGroups(page),
    { id: "reward", label: "With a reward", numeric: true, title: "Scored anyway" },
    { id: "passed", label: "Passed", numeric: true, title: "Passed anyway" },
    { id: "message", label: "First message", minor: true },
  ];
  return (
    <Section title="Exceptions" note="One per trial: its own, else that of one of its steps" actions={triage}>
      <CutNote shown={rows.length} total={all.length}>
        <Link href={errorsHref({ jobs: [key] })}>All errors</Link> can be filtered by text.
      </CutNote>
      <Table caption="Exceptions by type" columns={columns}>
        <tbody>
          {rows.map((row) => (
            <tr key={row.type}>
              <td className="name">
                <Link href={jobTrialsHref(key, { exceptions: [row.type] })} data-row-link="">
                  {row.type}
                </Link>
              </td>
              <td className="numeric">{formatCount(row.nTrials)}</td>
              <GroupCounts page={page} counts={row.counts} filter={{ exceptions: [row.type] }} />
              <CountCell count={row.nWithReward} />
              <CountCell
                count={row.nPassed}
                href={jobTrialsHref(key, { exceptions: [row.type], outcomes: ["passed"] })}
              />
              <td className={row.message === null ? "minor unknown" : "minor wrap muted"}>
                {row.message === null ? MISSING : cutMessage(row.message)}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

const MESSAGE_CHARS = 160;

function cutMessage(message: string): string {
  const line = message.trim().split("\n")[0] ?? "";
  return line.length > MESSAGE_CHARS ? `${line.slice(0, MESSAGE_CHARS)}…` : line;
}

export function JobTags({ page, panel }: { page: JobPage; panel: TagsPanel }) {
  const { key } = page.job;
  const { nCategories, state } = panel;
  const rows = fitRows(page, panel.rows, ({ category }) => category, page.shown.part.from);
  if (rows.length === 0) {
    return (
      <Section title="Error tags">
        {state === "reading" ? (
          <DerivedDetailsReading what="Error tags" />
        ) : (
          <p className="muted">No verifier, judge or analysis of this job names a cause of failure.</p>
        )}
      </Section>
    );
  }
  const columns: readonly Column[] = [
    { id: "category", label: "Category" },
    { id: "trials", label: "Trials", numeric: true },
    ...listGroups(page),
    { id: "source", label: "Named by" },
  ];
  return (
    <Section
      title="Error tags"
      note={`Causes that verifiers, judges and analyses name; a trial may have several${nCategories > rows.length ? `. The ${formatCount(rows.length)} most frequent of ${formatCount(nCategories)} are listed` : ""}`}
    >
      {state === "reading" ? <DerivedDetailsOutdated /> : null}
      <Table caption="Error tags by category" columns={columns}>
        <tbody>
          {rows.map((row) => (
            <tr key={row.category}>
              <td className="name">
                <Link href={jobTrialsHref(key, { tags: [row.category] })} data-row-link="">
                  {row.category}
                </Link>
              </td>
              <td className="numeric">{formatCount(row.nTrials)}</td>
              <GroupCounts
                page={page}
                counts={row.counts.slice(page.shown.part.from)}
                filter={{ tags: [row.category] }}
              />
              <td className="muted">{row.sources.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

function GroupCounts({
  page,
  counts,
  filter,
}: {
  page: JobPage;
  counts: readonly number[];
  filter: Parameters<typeof jobTrialsHref>[1];
}) {
  if (page.groups.length < 2) return null;
  return page.shown.groups.map(({ group }, index) => (
    <CountCell
      key={group.key}
      count={counts[index] ?? 0}
      href={jobTrialsHref(page.job.key, { ...filter, groups: [group.key] })}
    />
  ));
}
