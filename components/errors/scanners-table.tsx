import type { Route } from "next";
import { Fragment } from "react";

import { ForAction } from "@/components/shell/account-context";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { ShareBar } from "@/components/ui/outcome-bar";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TableSection } from "@/components/ui/table-section";
import { Count } from "@/components/ui/values";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import type { Outcome } from "@/lib/core/domain/trial";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { newQueueHref } from "@/lib/pages/annotations/review-address";
import { scannersHref } from "@/lib/pages/errors/address";
import type { ScanCount, ScannerRow, ScannersPage } from "@/lib/pages/errors/scanners";
import { trialPageHref } from "@/lib/pages/trial/address";
import { trialsPageHref, writeTrialsQuery } from "@/lib/pages/trials/address";

import { describeRate, formatRate, rateColumn, selectRateEnd } from "./rates";

const COLUMNS = (open: string | null, end: number): readonly DataColumn<ScannerRow>[] => [
  column(
    "Scanner",
    ({ scanner: { id, title, isOwn, file } }) => (
      <>
        <Link
          id={`scanner-${id}`}
          href={scannersHref(id === open ? null : id)}
          mode="stay"
          aria-expanded={id === open}
        >
          <b>{title}</b>
        </Link>{" "}
        <span className="muted">{isOwn ? file : null}</span>
      </>
    ),
    { phone: "first" },
  ),
  column("Finds", ({ scanner }) => <span className="muted">{scanner.meaning}</span>, {
    className: "wrap",
    phone: "second",
  }),
  column("Severity", ({ scanner }) => scanner.severity),
  column(
    "Trials",
    ({ nFound, scanner }) => (
      <b>
        <Count value={nFound} href={trialsPageHref(null, { scanners: [scanner.id] })} />
      </b>
    ),
    { numeric: true, phone: "score" },
  ),
  column("Share", ({ rate }) => <span title={describeRate(rate)}>{formatRate(rate)} %</span>, {
    numeric: true,
    title: "Of the trials it could scan",
  }),
  rateColumn({ end, width: 120, room: "minor", rateOf: ({ rate }) => rate }),
  column("Outcome", ({ nPassed, nFailed, nOther }) => (
    <ShareBar
      parts={[
        ["passed", nPassed, "passed"],
        ["failed", nFailed, "failed"],
        ["unscored", nOther, "neither passed nor failed"],
      ]}
    />
  )),
  {
    id: "review",
    header: <span className="screen-reader">Review</span>,
    cell: ({ nFound, scanner }) =>
      nFound === 0 ? null : (
        <ForAction action="makeQueueAction">
          <Link
            href={newQueueHref({ list: writeTrialsQuery({ isOfAllJobs: true, scanners: [scanner.id] }) })}
          >
            Review {formatCount(nFound)}
          </Link>
        </ForAction>
      ),
  },
];

interface ScannersTableProps {
  readonly page: ScannersPage;
  readonly open: string | null;
  readonly others: readonly Outcome[];
}

/** Most hits first; scanners without hits are folded. */
export function ScannersTable({ page, open, others }: ScannersTableProps) {
  const columns = COLUMNS(open, selectRateEnd(page.rows.map(({ rate }) => rate)));
  const table = (caption: string, rows: readonly ScannerRow[]) => (
    <DataTable
      caption={caption}
      columns={columns}
      rows={rows}
      rowKey={({ scanner }) => scanner.id}
      below={(row) => (row.scanner.id === open ? <ScannerDetail row={row} others={others} /> : null)}
    />
  );
  const hits = page.rows.filter(({ nFound }) => nFound > 0).toSorted((a, b) => b.nFound - a.nFound);
  const none = page.rows.filter(({ nFound }) => nFound === 0);
  return (
    <>
      {hits.length === 0 ? null : table("Scanners and what they found", hits)}
      {none.length === 0 ? null : (
        <details className="scanners-none" open={none.some(({ scanner }) => scanner.id === open)}>
          <summary>
            {formatPlural(none.length, "scanner")} found nothing{" "}
            <span className="muted">{none.map(({ scanner }) => scanner.title).join(", ")}</span>
          </summary>
          {table("Scanners without hits", none)}
        </details>
      )}
    </>
  );
}

function countScanned({ rate }: ScanCount): string {
  return formatCount(rate.kind === "computed" ? rate.n : 0);
}

function ScannerDetail({ row, others }: { row: ScannerRow; others: readonly Outcome[] }) {
  const { scanner, agents, jobs, nFound, nPassed, nFailed, nOther } = row;
  const { id, version, category, scope } = scanner;
  const outcomes = [
    [nPassed, "passed", ["passed"]],
    [nFailed, "failed", ["failed"]],
    [nOther, "neither", others],
  ] as const;
  const words = { steps: "every step of the trajectory", files: "the trial’s files" } as const;
  return (
    <>
      <p className="caption">
        <code>{id}</code>, version {version}, {category}; scans {words[scope]} of {countScanned(row)} trials.
        {outcomes.map(([n, said, only]) => (
          <Fragment key={said}>
            {" "}
            <Count value={n} href={trialsPageHref(null, { scanners: [id], outcomes: only })} /> {said}
          </Fragment>
        ))}
      </p>
      {nFound === 0 ? null : (
        <div className="scanner-counts">
          <CountList
            label="By agent"
            rows={agents.map(({ agent, ...counts }) => ({
              ...counts,
              name: agent,
              href: trialsPageHref(null, { scanners: [id], agents: [agent] }),
            }))}
          />
          <CountList
            label="By job"
            rows={jobs.map(({ jobKey, jobName, ...counts }) => ({
              ...counts,
              name: jobName,
              href: trialsPageHref(jobKey, { scanners: [id] }),
            }))}
          />
        </div>
      )}
    </>
  );
}

function CountList({
  label,
  rows,
}: {
  label: string;
  rows: readonly (ScanCount & { readonly name: string; readonly href: Route })[];
}) {
  const shown = rows.slice(0, LIST_ROWS);
  return (
    <section aria-label={label}>
      <b>{label}</b>
      <ul>
        {shown.map((one) => (
          <li key={one.href}>
            <Link href={one.href} title={one.name}>
              {formatCount(one.nFound)} of {countScanned(one)}
            </Link>{" "}
            <span className="cut" title={describeRate(one.rate)}>
              {one.name}
            </span>
          </li>
        ))}
      </ul>
      <CutNote shown={shown.length} total={rows.length}>
        See the list of trials for all.
      </CutNote>
    </section>
  );
}

const WRAP = { className: "wrap" } as const;

const REFUSED: readonly DataColumn<ScannersPage["refused"][number]>[] = [
  column("File", ({ file }) => <code>{file}</code>, WRAP),
  column("Line", ({ line }) => line, { numeric: true }),
  column("Problem", ({ reason }) => reason, WRAP),
];

const STOPPED: readonly DataColumn<ScannersPage["stopped"][number]>[] = [
  column("Scanner", ({ scanner }) => scanner),
  column(
    "Trial",
    ({ jobKey, trialKey }) => (
      <>
        <Link href={trialPageHref(jobKey, trialKey)}>{trialKey}</Link>{" "}
        <span className="muted">in {jobKey}</span>
      </>
    ),
    WRAP,
  ),
  column("Reason", ({ reason }) => reason, WRAP),
];

export function ScannerTroubles({ page: { refused, stopped }, most }: { page: ScannersPage; most: number }) {
  return (
    <>
      {refused.length === 0 ? null : (
        <TableSection
          title="Refused"
          caption="Refused files"
          note="Invalid scanner files, not run"
          most={Infinity}
          columns={REFUSED}
          rows={refused}
          rowKey={({ position }) => position}
        />
      )}
      {stopped.length === 0 ? null : (
        <TableSection
          title="Stopped"
          caption="Stopped scanners"
          note="Their hits in these trials are unknown"
          most={most}
          columns={STOPPED}
          rows={stopped}
          rowKey={({ scanner, jobKey, trialKey }) => `${scanner} ${jobKey} ${trialKey}`}
        >
          {stopped.length < most ? null : <p className="caption">Only the first {most} are named.</p>}
        </TableSection>
      )}
    </>
  );
}
