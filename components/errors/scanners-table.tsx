import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import type { Outcome } from "@/lib/core/domain/trial";
import { formatCount } from "@/lib/core/format/number";
import type { ScanCount, ScannerRow, ScannersPage } from "@/lib/pages/errors/scanners";
import { scannersHref } from "@/lib/pages/errors/scanners-address";
import { trialPageHref } from "@/lib/pages/trial/address";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { describeRate, formatRate } from "./error-words";
import { RatePlot, RateScale, selectRateEnd } from "./rate-plot";

const PLOT_WIDTH = 120;

function listColumns(
  { rows }: ScannersPage,
  open: string | null,
  others: readonly Outcome[],
): readonly DataColumn<ScannerRow>[] {
  const end = selectRateEnd(rows.map(({ rate }) => rate));
  const count = (
    header: string,
    read: (row: ScannerRow) => number,
    outcomes: readonly Outcome[],
    title?: string,
  ) =>
    column<ScannerRow>(
      header,
      (row) => (
        <Count value={read(row)} href={trialsPageHref(null, { scanners: [row.scanner.id], outcomes })} />
      ),
      { numeric: true, ...(title === undefined ? {} : { title }) },
    );
  const found = count("Trials", ({ nFound }) => nFound, []);
  return [
    column(
      "Scanner",
      ({ scanner: { id, title, meaning, isOwn, file } }) => (
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
          <p className="caption">{meaning}</p>
        </>
      ),
      { className: "wrap" },
    ),
    column("Severity", ({ scanner }) => scanner.severity),
    { ...found, cell: (row) => <b>{found.cell(row)}</b> },
    column("Of", countScanned, { numeric: true, title: "Trials it could scan" }),
    column("%", ({ rate }) => <span title={describeRate(rate)}>{formatRate(rate)}</span>, { numeric: true }),
    {
      id: "interval",
      header: <RateScale end={end} width={PLOT_WIDTH} />,
      meta: { className: "interval-cell", room: "minor" },
      cell: ({ rate }) => <RatePlot rate={rate} end={end} width={PLOT_WIDTH} />,
    },
    count("Passed", ({ nPassed }) => nPassed, ["passed"]),
    count("Failed", ({ nFailed }) => nFailed, ["failed"]),
    count("Other", ({ nOther }) => nOther, others, "Neither passed nor failed"),
  ];
}

export function ScannersTable({
  page,
  open,
  others,
}: {
  page: ScannersPage;
  open: string | null;
  others: readonly Outcome[];
}) {
  return (
    <DataTable
      caption="Scanners and what they found"
      columns={listColumns(page, open, others)}
      rows={page.rows}
      rowKey={({ scanner }) => scanner.id}
      below={(row) => (row.scanner.id === open ? <ScannerDetail row={row} /> : null)}
    />
  );
}

function countScanned({ rate }: ScanCount): string {
  return formatCount(rate.kind === "computed" ? rate.n : 0);
}

function ScannerDetail({ row: { scanner, agents, jobs, nFound } }: { row: ScannerRow }) {
  const { id, version, category, scope } = scanner;
  const words = { steps: "every step of the trajectory", files: "the trial’s files" } as const;
  return (
    <>
      <p className="caption">
        <code>{id}</code>, version {version}, {category}; scans {words[scope]}.
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
  rows: readonly (ScanCount & { readonly name: string; readonly href: ReturnType<typeof trialsPageHref> })[];
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
        <Section title="Refused" note="Invalid scanner files, not run">
          <DataTable
            caption="Refused files"
            className="table-compact"
            columns={REFUSED}
            rows={refused}
            rowKey={({ position }) => position}
          />
        </Section>
      )}
      {stopped.length === 0 ? null : (
        <Section title="Stopped" note="Their hits in these trials are unknown">
          <DataTable
            caption="Stopped scanners"
            className="table-compact"
            columns={STOPPED}
            rows={stopped}
            rowKey={({ scanner, jobKey, trialKey }) => `${scanner} ${jobKey} ${trialKey}`}
          />
          {stopped.length < most ? null : <p className="caption">Only the first {most} are named.</p>}
        </Section>
      )}
    </>
  );
}
