import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Preformatted } from "@/components/ui/preformatted";
import { ShowAll } from "@/components/ui/show-all";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { tellReason, nameTest } from "@/lib/core/domain/tally-tests";
import type { Outcome } from "@/lib/core/domain/trial";
import type { TestCase, TestReport } from "@/lib/core/domain/trial-file";
import type { LogPlace } from "@/lib/core/domain/verifier-check";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { shorten } from "@/lib/core/format/words";
import { logLink, openArtifactHref, openTrialHref, type OpenTrial } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";
import type { TaskAround } from "@/lib/pages/trial/task";

import { ScrollTo } from "../trial-controls";
import { ListPager, type ShownTrial } from "../trial-parts";

export function TestsPanel({ page }: { page: ShownTrial }) {
  const { tests: reports, search } = page;
  const open = reports.flatMap(({ tests }) => tests).find(({ name }) => name === search.test) ?? null;
  if (reports.length === 0) {
    return (
      <Notice title="No test report">
        Nothing below verifier/ lists tests: no CTRF, JUnit XML or list of checks, and no summary of pytest or
        Playwright. Tasks write CTRF when their tests run with <code>pytest --ctrf</code>; the verifier’s
        output is under Log.
      </Notice>
    );
  }
  return (
    <div id="tests">
      {reports.map((report) => (
        <Report key={report.file} report={report} page={page} open={open} />
      ))}
      {open === null ? null : <ScrollTo key={open.name} id={OPEN_TEST} block="center" focus="self" />}
      <ListPager page={page} list="tests" part={page.parts.tests} />
    </div>
  );
}

const OPEN_TEST = "open-test";

function Report({
  report,
  page,
  open,
}: {
  report: TestReport;
  page: TrialPage;
  /** The test named in the URL. */
  open: TestCase | null;
}) {
  return (
    <section className="tests-report" aria-label={report.file}>
      <p className="muted tests-summary">
        {report.step === null ? "" : `${report.step}: `}
        {describeReport(report)}
      </p>
      {report.tests.length === 0 ? null : (
        <DataTable
          caption={`Tests of ${report.file}`}
          columns={makeColumns(page, report, open)}
          rows={report.tests}
          rowKey={(_, at) => at}
          rowClass={(test) => (test === open ? "tests-open" : undefined)}
        />
      )}
      {page.cutFiles.includes(report.file) || report.tests.some(isShownInPart) ? (
        <ShowAll href={openArtifactHref(page.at, report.file)} file={report.file} />
      ) : null}
    </section>
  );
}

function describeReport({ file, form, tool, nTests, nFailed, isCounted }: TestReport): string {
  const totals =
    nTests === null || nFailed === null
      ? "Tests without totals"
      : `${formatPlural(nTests, form === "checks" ? "check" : "test")}, ${formatCount(nFailed)} failed`;
  const source = form === "text" ? `read from the text of ${file}, which may be incomplete` : `from ${file}`;
  const by = tool === null ? "" : `${form === "text" ? "printed" : "written"} by ${tool}, `;
  return `${totals}, ${by}${source}.${isCounted ? "" : " Not in the trial’s totals, which another report gives."}`;
}

/** Traces are open if no more tests failed. */
const MOST_OPEN_TRACES = 5;

function makeColumns(
  { task, testsInLogs, at }: TrialPage,
  report: TestReport,
  open: TestCase | null,
): readonly DataColumn<TestCase>[] {
  return [
    column("Status", ({ status }) => <TestWord status={status} />, {
      className: "nowrap tests-status",
      width: 88,
      phone: "score",
    }),
    column(
      "Test",
      (test) => (
        <>
          <code
            id={test === open ? OPEN_TEST : undefined}
            title={test.name}
            tabIndex={0}
            data-evidence="test"
            data-place={test.name}
          >
            {shortTestName(test.name)}
          </code>
          <Reason test={test} />
          {test.status === "failed" ? (
            <p className="caption">
              <FailureCount task={task} id={nameTest(report, test)} />{" "}
              <LogLink at={at} log={testsInLogs.get(nameTest(report, test))} />
            </p>
          ) : null}
          {test.trace === null ? null : (
            <details open={(report.nFailed ?? 0) <= MOST_OPEN_TRACES && test.status === "failed"}>
              <summary className="caption">Trace</summary>
              <Preformatted className="step-pre" tabIndex={0}>
                {test.trace}
              </Preformatted>
            </details>
          )}
        </>
      ),
      { className: "wrap", phone: "first" },
    ),
    column("Duration", ({ durationMs }) => formatDuration(durationMs), {
      numeric: true,
      width: 88,
      phone: "second",
    }),
  ];
}

function Reason({ test }: { test: TestCase }) {
  const reason = test.status === "failed" ? tellReason(test) : test.message;
  return reason === null ? null : <p className="caption tests-message">{shorten(reason, MAX_MESSAGE)}</p>;
}

function FailureCount({ task, id }: { task: TaskAround; id: string }) {
  const { failures, isAtLeast } = task;
  const found = failures.get(id);
  if (found === undefined || found.nTested < 2) return null;
  const { nFailed, nAgents, nTested, nTestedAgents, nAssumed } = found;
  const least = isAtLeast ? "at least " : "";
  return (
    <span>
      Fails in {least}
      {formatCount(nFailed)} of {formatPlural(nTested, "trial")} of this task that ran it
      {nTestedAgents < 2
        ? ""
        : nAgents === 1 && !isAtLeast
          ? ", of this agent alone"
          : nTested === nTestedAgents
            ? ""
            : `, of ${least}${formatCount(nAgents)} of ${formatCount(nTestedAgents)} agents`}
      {nAssumed === 0 ? "." : `; the reports of ${formatCount(nAssumed)} do not say whether it ran.`}
    </span>
  );
}

function LogLink({ at, log }: { at: OpenTrial; log: LogPlace | undefined }) {
  if (log === undefined) return null;
  return (
    <Link className="nowrap" href={openTrialHref(at, logLink(log))} mode="stay" title={log.file}>
      Log, line {formatCount(log.line)}
    </Link>
  );
}

/** Characters of a message; its trace usually starts with all of it. */
const MAX_MESSAGE = 600;

function isShownInPart({ message }: TestCase): boolean {
  return (message?.length ?? 0) > MAX_MESSAGE;
}

/** Skipped and pending tests have no outcome's glyph. */
const TEST_MARKS = {
  passed: "passed",
  failed: "failed",
  skipped: "unscored",
  pending: "missing",
  other: "missing",
} as const satisfies Record<TestCase["status"], Outcome>;

export function TestWord({ status }: Pick<TestCase, "status">) {
  return (
    <span className="status-word">
      <Mark status={TEST_MARKS[status]} />
      {status}
    </span>
  );
}

/** Returns a test's name without the file, suites and groups that runners prefix. */
export function shortTestName(name: string): string {
  return name.split(" > ").at(-1)?.split("::").slice(1).join("::") || (name.split(" > ").at(-1) ?? name);
}
