import { Fragment } from "react";

import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { type Column, Table } from "@/components/ui/table";
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

export function ScannersTable({
  page,
  open,
  others,
}: {
  page: ScannersPage;
  open: string | null;
  others: readonly Outcome[];
}) {
  const end = selectRateEnd(page.rows.map(({ rate }) => rate));
  const columns: readonly Column[] = [
    { id: "scanner", label: "Scanner" },
    { id: "severity", label: "Severity" },
    { id: "trials", label: "Trials", numeric: true },
    { id: "scanned", label: "Of", numeric: true, title: "Trials that it could look through" },
    { id: "rate", label: "%", numeric: true },
    { id: "interval", label: <RateScale end={end} width={PLOT_WIDTH} />, minor: true },
    { id: "passed", label: "Passed", numeric: true },
    { id: "failed", label: "Failed", numeric: true },
    { id: "other", label: "Other", numeric: true, title: "Neither passed nor failed" },
  ];
  return (
    <Table caption="Scanners and what they found" columns={columns}>
      <tbody>
        {page.rows.map((row) => {
          const { id, title, meaning, severity } = row.scanner;
          const isOpen = id === open;
          const trials = (outcomes: readonly Outcome[]) => trialsPageHref(null, { scanners: [id], outcomes });
          return (
            <Fragment key={id}>
              <tr id={`scanner-${id}`}>
                <td className="wrap">
                  <Link href={scannersHref(isOpen ? null : id)} mode="stay" aria-expanded={isOpen}>
                    <b>{title}</b>
                  </Link>{" "}
                  <span className="muted">{row.scanner.isOwn ? row.scanner.file : null}</span>
                  <p className="caption">{meaning}</p>
                </td>
                <td>{severity}</td>
                <td className="numeric">
                  <b>
                    <Count value={row.nFound} href={trials([])} />
                  </b>
                </td>
                <td className="numeric">{countScanned(row)}</td>
                <td className="numeric" title={describeRate(row.rate)}>
                  {formatRate(row.rate)}
                </td>
                <td className="interval-cell minor">
                  <RatePlot rate={row.rate} end={end} width={PLOT_WIDTH} />
                </td>
                <td className="numeric">
                  <Count value={row.nPassed} href={trials(["passed"])} />
                </td>
                <td className="numeric">
                  <Count value={row.nFailed} href={trials(["failed"])} />
                </td>
                <td className="numeric">
                  <Count value={row.nOther} href={trials(others)} />
                </td>
              </tr>
              {isOpen ? (
                <tr>
                  <td className="wrap" colSpan={columns.length}>
                    <ScannerDetail row={row} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          );
        })}
      </tbody>
    </Table>
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
        <code>{id}</code>, version {version}, {category}; looks through {words[scope]}.
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
        The list of trials has all of them.
      </CutNote>
    </section>
  );
}

export function ScannerTroubles({ page: { refused, stopped }, most }: { page: ScannersPage; most: number }) {
  return (
    <>
      {refused.length === 0 ? null : (
        <Section title="Refused" note="These files are no scanners, so nothing was looked for">
          <Table
            caption="Refused files"
            compact
            columns={[
              { id: "file", label: "File" },
              { id: "line", label: "Line", numeric: true },
              { id: "reason", label: "Problem" },
            ]}
          >
            <tbody>
              {refused.map(({ position, file, line, reason }) => (
                <tr key={position}>
                  <td className="wrap">
                    <code>{file}</code>
                  </td>
                  <td className="numeric">{line}</td>
                  <td className="wrap">{reason}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Section>
      )}
      {stopped.length === 0 ? null : (
        <Section title="Stopped" note="What these would have found in these trials is not known">
          <Table
            caption="Stopped scanners"
            compact
            columns={[
              { id: "scanner", label: "Scanner" },
              { id: "trial", label: "Trial" },
              { id: "reason", label: "Reason" },
            ]}
          >
            <tbody>
              {stopped.map(({ scanner, jobKey, trialKey, reason }) => (
                <tr key={`${scanner} ${jobKey} ${trialKey}`}>
                  <td>{scanner}</td>
                  <td className="wrap">
                    <Link href={trialPageHref(jobKey, trialKey)}>{trialKey}</Link>{" "}
                    <span className="muted">in {jobKey}</span>
                  </td>
                  <td className="wrap">{reason}</td>
                </tr>
              ))}
            </tbody>
          </Table>
          {stopped.length < most ? null : <p className="caption">Only the first {most} are named.</p>}
        </Section>
      )}
    </>
  );
}
