import { formatPlural } from "@/lib/core/format/number";
import type { Report } from "@/lib/output/report";

import { ReportCurves, ReportGroups, ReportTasks } from "./report-figures";
import { REPORT_STYLE } from "./report-style";
import { ReportTable } from "./report-table";
import { ReportVerdict } from "./report-verdict";

/** Blocks every request, script and form of the report. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function ReportPage({ report }: { report: Report }) {
  return (
    <html lang="en">
      {/* oxlint-disable-next-line nextjs/no-head-element -- it is a file of its own, no page of Next */}
      <head>
        <meta charSet="utf-8" />
        <meta httpEquiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${report.title} · Assay report`}</title>
        <style>{REPORT_STYLE}</style>
      </head>
      <body>
        <main>
          <h1>{report.title}</h1>
          <p className="muted">{report.summary}</p>
          <ReportVerdict report={report} />
          <ReportGroups report={report} />
          <ReportCurves report={report} />
          <ReportChecks report={report} />
          <ReportTasks report={report} />
          <ReportMethods report={report} />
          <ReportFiles report={report} />
        </main>
      </body>
    </html>
  );
}

function ReportChecks({ report: { checks } }: { report: Report }) {
  const holding = checks.filter(({ state }) => state === "same").length;
  return (
    <section aria-label="Checks">
      <h2>
        Comparable: {holding} of {checks.length} checks hold
      </h2>
      <ul>
        {checks.map(({ name, state, detail }) => (
          <li key={name}>
            <b className={`state-${state}`}>{state}</b> {name}. <span className="muted">{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const CELL_NAMES = {
  mean: "Mean",
  rerunMean: "Expected score on a re-run",
  runToRun: "Run to run",
  effectiveN: "Effective sample size",
  solveRates: "Solve rates",
  consistency: "Consistency",
  missing: "Missing rewards",
  costPerSolve: "Cost per solve",
} as const;

function ReportMethods({ report: { caption, pairs, groups } }: { report: Report }) {
  return (
    <section aria-label="Methods">
      <h2>Methods</h2>
      {caption === "" ? null : <p>Curves: {caption}</p>}
      <ul>
        {pairs.map(({ first, second, words }) => (
          <li key={`${first} ${second}`}>
            <b>
              {first} vs {second}:
            </b>{" "}
            {words.intervalBasis ?? words.sentence}
            {words.pBasis === null ? null : `. p-value: ${words.pBasis}`}
            {words.runInterval === null ? null : `. With run to run: ${words.runInterval.basis}`}
          </li>
        ))}
        {groups.map(({ chart, cells }) => (
          <li key={chart.id}>
            <b>{chart.label}.</b>{" "}
            {(Object.keys(CELL_NAMES) as (keyof typeof CELL_NAMES)[])
              .map((id) => `${CELL_NAMES[id]}: ${cells[id].basis}.`)
              .join(" ")}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReportFiles({ report: { document } }: { report: Report }) {
  const { jobs, command, inputs } = document;
  const isListed = jobs.every(({ files }) => files !== null);
  return (
    <section aria-label="Data">
      <h2>Data</h2>
      <p>
        <code>assay report --check FILE{command === null ? " DIR" : ""}</code> computes this report again and
        says which file or figure is another now. Each hash below is of the list of a job’s files, a line a
        file as <code>sha256sum</code> writes it, in the order of their paths.{" "}
        {isListed
          ? "The hash of every file is in the data at the end of this file."
          : "They are too many for their own hashes to stand in this file."}
      </p>
      <ReportTable
        caption="Jobs"
        columns={[{ label: "Job" }, { label: "Files", className: "number" }, { label: "SHA-256" }]}
      >
        {jobs.map(({ name, uuid, n_files: nFiles, sha256 }) => (
          <tr key={`${name} ${uuid ?? ""}`}>
            <th scope="row">
              {name}
              {uuid === null ? null : <span className="muted"> {uuid}</span>}
            </th>
            <td className="number">{nFiles}</td>
            <td>
              <code>{sha256}</code>
            </td>
          </tr>
        ))}
      </ReportTable>
      {command === null ? null : (
        <p>
          Written by <code>assay report {command.arguments.join(" ")}</code>
        </p>
      )}
      <p className="muted">
        {formatPlural(jobs.length, "job")}, Assay {document.assay_version}, summation {inputs.summation}
        {document.rules === undefined ? "" : `, rules ${document.rules}`}.
      </p>
      <details>
        <summary>Inputs as JSON</summary>
        <pre>{JSON.stringify(inputs, null, 2)}</pre>
      </details>
    </section>
  );
}
