import type { ReactElement, ReactNode } from "react";

import { CurvePlot } from "@/components/charts/plot";
import { AgentMark } from "@/components/ui/agent-mark";
import { PLAIN, Strip, StripMark, StripNumbers } from "@/components/ui/interval-plot";
import { fitLabels, PLOT_HEIGHT } from "@/lib/core/charts/curve-layout";
import { selectOuterTicks } from "@/lib/core/charts/ticks";
import { CERTAINTY_WORDS } from "@/lib/core/format/certainty-words";
import { formatPlural, formatRange, formatReward, formatSize } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { type Report, writeReportDocument } from "@/lib/output/report";

import { REPORT_STYLE } from "./report-style";

const END = "</main></body></html>";

/** `render` is React's own: Next refuses its import here. */
export function writeReport(report: Report, render: (element: ReactElement) => string): string {
  const page = render(<ReportPage report={report} />);
  if (!page.endsWith(END)) throw new Error("The page of a report has an unexpected end.");
  return `<!doctype html>\n${page.slice(0, -END.length)}</main>\n${writeReportDocument(report.document)}\n</body></html>\n`;
}

/** Blocks every request, script and form of the report. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

function ReportPage({ report }: { report: Report }) {
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
            {CERTAINTY_WORDS.map(({ id, term }) => `${term}: ${cells[id].basis}.`).join(" ")}
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
        <code>assay report --check FILE{command === null ? " DIR" : ""}</code> recomputes this report and
        lists every changed file or figure. Each hash below is of the list of a job’s files, one line per file
        as <code>sha256sum</code> writes it, ordered by path.{" "}
        {isListed
          ? "The hash of every file is in the data at the end of this file."
          : "There are too many files to include their hashes."}
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

const number = (label: string): ReportColumn => ({ label, className: "number" });

function ReportGroups({ report: { groups } }: { report: Report }) {
  const hasSets = groups.some(({ jobs }) => jobs.length > 1);
  const cells = CERTAINTY_WORDS.filter(({ id }) => id !== "effectiveN" && (hasSets || id !== "runToRun"));
  return (
    <section aria-label="Groups">
      <h2>Groups</h2>
      <ReportTable
        caption="Groups"
        columns={[
          { label: "Group" },
          number("Trials"),
          ...cells.map(({ label }) => number(label)),
          number("Scores verified"),
        ]}
      >
        {groups.map((group) => (
          <tr key={group.chart.id}>
            <th scope="row">
              <AgentMark {...group.chart} />
              {group.chart.label}
              {group.jobs.length > 1 ? <small>{group.jobs.join(", ")}</small> : null}
            </th>
            <ReportValue
              value={String(group.nTrials)}
              range={group.jobs.length > 1 ? formatPlural(group.jobs.length, "run") : null}
            />
            {cells.map(({ id }) => (
              <ReportValue key={id} value={group.cells[id].value} range={group.cells[id].range} />
            ))}
            <ReportValue
              value={group.nFigures === 0 ? null : `${String(group.nExact)} of ${String(group.nFigures)}`}
            />
          </tr>
        ))}
      </ReportTable>
    </section>
  );
}

/** Maximum width of names next to a plot, in pixels. */
const MOST_ROOM = 190;

function ReportCurves({ report: { charts } }: { report: Report }) {
  if (charts.length === 0) return null;
  const ks = [
    ...new Set(charts.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ k }) => k)))),
  ];
  return (
    <section aria-label="Curves">
      <h2>Curves</h2>
      <div className="curves">
        {charts.map((chart) => {
          const { labels, room } = fitLabels(chart, MOST_ROOM);
          return (
            <figure key={chart.id}>
              <figcaption>
                <b>{chart.title}</b> <span className="muted">{chart.note}</span>
              </figcaption>
              <div className="curve" style={{ paddingRight: room }}>
                <svg role="img" aria-label={chart.summary} height={PLOT_HEIGHT}>
                  <CurvePlot chart={chart} labels={labels} />
                </svg>
              </div>
            </figure>
          );
        })}
      </div>
      {charts.map((chart) => (
        <ReportTable
          key={chart.id}
          caption={`${chart.title} with 95 % intervals`}
          columns={[
            { label: chart.title },
            ...ks.toSorted((a, b) => a - b).map((k) => number(`k = ${String(k)}`)),
          ]}
        >
          {chart.series.map(({ group, points }) => (
            <tr key={group.id}>
              <th scope="row">
                <AgentMark {...group} />
                {group.label}
              </th>
              {ks
                .toSorted((a, b) => a - b)
                .map((k) => {
                  const point = points.find((one) => one.k === k);
                  return (
                    <ReportValue
                      key={k}
                      value={point === undefined ? null : formatReward(point.value)}
                      range={point?.band == null ? null : formatRange(point.band, formatReward)}
                    />
                  );
                })}
            </tr>
          ))}
        </ReportTable>
      ))}
    </section>
  );
}

function ReportTasks({ report: { groups, matrix } }: { report: Report }) {
  const { rows, nTasks, hasMeans } = matrix;
  return (
    <section aria-label="Tasks">
      <h2>Tasks</h2>
      <p className="muted">
        Passed of all attempts{hasMeans ? ", and the mean reward" : ""}; tasks at which the groups differ most
        come first.
        {rows.length < nTasks ? ` The first ${String(rows.length)} of ${String(nTasks)} tasks.` : null}
      </p>
      <ReportTable
        caption="Tasks"
        className="matrix"
        columns={[{ label: "Task" }, ...groups.map(({ chart }) => number(chart.label))]}
      >
        {rows.map(({ task, cells }) => (
          <tr key={task}>
            <th scope="row">{formatTask({ taskName: task })}</th>
            {cells.map(({ n, c, mean, level }, at) => (
              <td key={at} className={`number level-${String(level)}`}>
                {n === 0 ? "—" : `${String(c)} of ${String(n)}`}
                {hasMeans && mean !== null ? <small>{formatReward(mean)}</small> : null}
              </td>
            ))}
          </tr>
        ))}
      </ReportTable>
    </section>
  );
}

type Pair = Report["pairs"][number];

function ReportVerdict({ report: { pairs, adjustment } }: { report: Report }) {
  const hasRuns = pairs.some(({ words }) => words.runInterval !== null);
  const axis = pairs.find((pair) => pair.axis !== null)?.axis ?? null;
  const isRate = pairs.every(({ comparison }) => comparison.kind === "unavailable" || comparison.isRate);
  return (
    <section aria-label="Verdict">
      {pairs.map(({ first, second, words }) => (
        <div key={`${first} ${second}`}>
          <p className={pairs.length === 1 ? "verdict" : undefined}>{words.sentence}</p>
          {words.detail === null ? null : <p className="muted">{words.detail}</p>}
        </div>
      ))}
      <ReportTable
        caption="Differences"
        columns={[
          { label: "Group" },
          { label: "Against" },
          { label: "Verdict" },
          { label: isRate ? "Difference, points" : "Difference", className: "number" },
          { label: "95 % interval", className: "number" },
          ...(hasRuns ? [{ label: "With run to run", className: "number" as const }] : []),
          { label: "p-value", className: "number" },
          { label: "Smallest detectable difference", className: "number" },
          {
            label: axis === null ? "" : <StripNumbers ticks={selectOuterTicks(axis.ticks)} />,
            className: "axis",
          },
        ]}
      >
        {pairs.map((pair) => (
          <PairRow key={`${pair.first} ${pair.second}`} pair={pair} hasRuns={hasRuns} />
        ))}
      </ReportTable>
      <p className="muted">
        {adjustment === null ? null : `${adjustment} `}Differences are the group minus its baseline. Smallest
        detectable: the true difference that 80 of 100 such comparisons would detect.
      </p>
    </section>
  );
}

function PairRow({
  pair: { first, second, words, comparison, axis },
  hasRuns,
}: {
  pair: Pair;
  hasRuns: boolean;
}) {
  const { verdict } = words;
  const detectable = comparison.kind === "computed" ? comparison.detectable : comparison;
  return (
    <tr>
      <th scope="row">{first}</th>
      <td>{second}</td>
      <td className={verdict === "better" || verdict === "worse" ? verdict : undefined}>{verdict}</td>
      <ReportValue value={words.difference} />
      <ReportValue value={words.interval} />
      {hasRuns ? <ReportValue value={words.runInterval?.value ?? null} /> : null}
      <ReportValue value={words.pValue} />
      <ReportValue
        value={
          detectable.kind === "computed" && comparison.kind === "computed"
            ? formatSize(detectable.difference, comparison.isRate)
            : null
        }
      />
      <td className="axis">
        {axis === null ? null : (
          <Strip title={axis.summary} height={24} ticks={axis.ticks}>
            <StripMark interval={axis.interval} group={PLAIN} y={12} size={11} />
          </Strip>
        )}
      </td>
    </tr>
  );
}

interface ReportColumn {
  readonly label: ReactNode;
  readonly className?: "number" | "axis";
}

interface ReportTableProps {
  readonly caption: string;
  readonly columns: readonly ReportColumn[];
  readonly className?: string;
  readonly children: ReactNode;
}

function ReportTable({ caption, columns, className, children }: ReportTableProps) {
  return (
    // A scrolling region must be reachable by keyboard.
    <div className="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table className={className} aria-label={caption}>
        <thead>
          <tr>
            {columns.map(({ label, className: kind }, at) => (
              <th key={at} scope="col" className={kind}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function ReportValue({ value, range }: { value: string | null; range?: string | null | undefined }) {
  return (
    <td className="number">
      {value ?? "—"}
      {range == null ? null : <small>{range}</small>}
    </td>
  );
}
