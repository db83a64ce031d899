import { JUDGMENT_MARKS, JUDGMENT_WORDS } from "@/components/annotations/judgment-words";
import { AgentMark } from "@/components/ui/agent-mark";
import { DataTable } from "@/components/ui/data-table";
import { IntervalHeading, IntervalPlot } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Mark, StatusWord } from "@/components/ui/mark";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { dropShared } from "@/lib/core/charts/text-fit";
import { formatCount, formatPlural, formatReward, describeMean } from "@/lib/core/format/number";
import { formatDay } from "@/lib/core/format/time";
import { taskHref } from "@/lib/pages/tasks/address";
import type { getTaskReviews, TaskDimension, TaskTests as Tests } from "@/lib/pages/tasks/detail";
import type { TaskPage } from "@/lib/pages/tasks/page";
import { trialPageHref } from "@/lib/pages/trial/address";

import { passedColumns } from "./passed";
import { describePassed, nameAgentModel } from "./task-words";

/** Longer test names drop what all of them share. */
const LONGEST_TEST = 30;

function shortenTests(tests: Tests["tests"]): readonly string[] {
  return dropShared(
    tests.map(({ name }) => name),
    LONGEST_TEST,
  );
}

export function TaskTests({ tests: { tests, columns, ...found } }: { tests: Tests }) {
  if (found.nTested === 0) {
    return (
      <Section title="Tests that fail most">
        <p className="muted">No counted attempt has a test report.</p>
      </Section>
    );
  }
  const without = found.nUntested === 0 ? "" : `, ${formatCount(found.nUntested)} without`;
  return (
    <Section
      title="Tests that fail most"
      note={`${formatPlural(found.nTested, "attempt")} with a test report${without}`}
    >
      {tests.length === 0 ? (
        <p className="muted">No test failed in any of them.</p>
      ) : (
        <DataTable
          caption="Tests that fail most"
          className="table-compact"
          columns={listTestColumns(columns, shortenTests(tests))}
          rows={tests.map((test, at) => ({ ...test, at }))}
          rowKey={({ name }) => name}
        />
      )}
      <p className="caption">
        Failed, of attempts with a report; one attempt can fail several tests.
        {found.nAssumed === 0
          ? ""
          : ` Reports of ${formatPlural(found.nAssumed, "attempt")} do not list all tests: unlisted tests count as run.`}
        {found.isAtLeast ? " Some reports were too long: counts are lower bounds." : ""}
        {found.nMore === 0 ? "" : ` ${formatPlural(found.nMore, "more test")} not listed.`}
      </p>
    </Section>
  );
}

type Test = Tests["tests"][number] & { readonly at: number };

function listTestColumns(agents: Tests["columns"], names: readonly string[]): readonly DataColumn<Test>[] {
  return [
    column(
      "Test",
      ({ name, at }) => (
        <code className="cut" title={name}>
          {names[at]}
        </code>
      ),
      { className: "task-test" },
    ),
    column("Failed", ({ rate }) => <b>{rate.kind === "computed" ? formatCount(rate.count) : ""}</b>, {
      numeric: true,
    }),
    {
      id: "interval",
      header: <IntervalHeading />,
      meta: { className: "interval-cell" },
      cell: ({ rate }) => (
        <IntervalPlot
          mark={rate.kind === "computed" ? { value: rate.rate, low: rate.low, high: rate.high } : null}
          title={describePassed(rate).replace("passed", "failed it")}
        />
      ),
    },
    ...agents.map((agent, nth): DataColumn<Test> => ({
      id: `agent ${nameAgentModel(agent)}`,
      header: (
        <span title={nameAgentModel(agent)}>
          <AgentMark identity={agent.identity} />
          <span className="screen-reader">{nameAgentModel(agent)}</span>
        </span>
      ),
      meta: { numeric: true, room: "minor" },
      cell: ({ byAgent }) => {
        const { nFailed, nTested } = byAgent[nth] ?? { nFailed: 0, nTested: 0 };
        if (nTested === 0) return <Unknown />;
        return (
          <span className={nFailed === 0 ? "zero" : undefined}>
            {formatCount(nFailed)}/{formatCount(nTested)}
          </span>
        );
      },
    })),
  ];
}

export function TaskDimensions({ dimensions }: { dimensions: readonly TaskDimension[] }) {
  if (dimensions.length === 0) return null;
  return (
    <Section title="Dimensions" note="worst first">
      <DataTable
        caption="Dimensions"
        className="table-compact"
        columns={DIMENSION_COLUMNS}
        rows={dimensions}
        rowKey={({ name }) => name}
      />
      <p className="caption">Alone: nothing else was below 1 in the attempt. Interval 95 %, over attempts.</p>
    </Section>
  );
}

const DIMENSION_COLUMNS: readonly DataColumn<TaskDimension>[] = [
  column(
    "Dimension",
    ({ name }) => (
      <span className="cut" title={name}>
        {name}
      </span>
    ),
    { className: "task-test" },
  ),
  column("Attempts", ({ n }) => formatCount(n), { numeric: true }),
  column("Mean", ({ mean }) => <b>{formatReward(mean.kind === "computed" ? mean.mean : null, 2)}</b>, {
    numeric: true,
  }),
  {
    id: "interval",
    header: <IntervalHeading />,
    meta: { className: "interval-cell" },
    cell: ({ mean: result }) => {
      if (result.kind !== "computed") return <IntervalPlot mark={null} title="no mean" />;
      const { mean: value, bounds } = result;
      const known = bounds.kind === "computed" ? bounds : null;
      return (
        <IntervalPlot
          mark={{ value, low: known?.low ?? value, high: known?.high ?? value }}
          title={describeMean(value, known)}
        />
      );
    },
  },
  column("Alone", ({ nAlone }) => <Count value={nAlone} />, {
    numeric: true,
    title: "Attempts in which only this dimension was below 1",
  }),
];

type Reviews = Awaited<ReturnType<typeof getTaskReviews>>;

export function TaskReviews({ found }: { found: Reviews }) {
  if (found === null) {
    return (
      <Section title="Reviewers">
        <p className="muted">The annotations cannot be read.</p>
      </Section>
    );
  }
  const { reviews, nMore, nDisagreeing } = found;
  if (reviews.length === 0) {
    return (
      <Section title="Reviewers">
        <p className="muted">No attempts reviewed.</p>
      </Section>
    );
  }
  const total = reviews.length + nMore;
  return (
    <Section
      title="Reviewers"
      note={`${formatPlural(total, "attempt")} reviewed, ${formatCount(nDisagreeing)} ${nDisagreeing === 1 ? "disagrees" : "disagree"} with the verifier`}
    >
      <DataTable
        caption="Reviewed attempts"
        className="table-compact"
        columns={REVIEW_COLUMNS}
        rows={reviews}
        rowKey={({ jobKey, key }) => `${jobKey}/${key}`}
      />
      {nMore === 0 ? null : <p className="caption">{formatPlural(nMore, "more attempt")} not listed.</p>}
    </Section>
  );
}

const MOST_NOTE = 300;

const REVIEW_COLUMNS: readonly DataColumn<NonNullable<Reviews>["reviews"][number]>[] = [
  column(
    "Attempt",
    ({ jobKey, jobName, key, agent, attempt }) => (
      <Link href={trialPageHref(jobKey, key)}>
        {agent}, {jobName}, attempt {attempt}
      </Link>
    ),
    { className: "name" },
  ),
  column("Verifier", ({ outcome }) => <StatusWord status={outcome} />),
  column("Reviewer", ({ judgments: { judgment } }) =>
    judgment === "mixed" ? (
      "In conflict"
    ) : (
      <span className="status-word">
        <Mark status={JUDGMENT_MARKS[judgment]} />
        {JUDGMENT_WORDS[judgment]}
      </span>
    ),
  ),
  column("Note", ({ judgments }) => judgments.latest[0]?.notes?.slice(0, MOST_NOTE).toWellFormed() ?? "", {
    className: "wrap",
  }),
];

export function TaskVersions({ page }: { page: TaskPage }) {
  const { versions, taskName, dataset } = page;
  if (versions.every(({ digest }) => digest === null)) {
    return (
      <Section title="Versions">
        <p className="muted">No attempt records a task digest, so all count as one version.</p>
      </Section>
    );
  }
  const columns: readonly DataColumn<TaskPage["versions"][number]>[] = [
    column(
      "Digest",
      ({ digest, isCounted }) => {
        const shown = <code title={digest ?? undefined}>{digest?.slice(0, SHOWN_DIGEST)}</code>;
        return (
          <>
            {digest === null ? (
              <Unknown>not stated</Unknown>
            ) : isCounted ? (
              shown
            ) : (
              <Link href={taskHref(taskName, { dataset: dataset.id, version: digest })}>{shown}</Link>
            )}
            {isCounted ? <span className="muted"> counted</span> : null}
          </>
        );
      },
      { className: "name" },
    ),
    column("Since", ({ sinceMs }) => formatDay(sinceMs), { className: "muted" }),
    ...passedColumns<TaskPage["versions"][number]>({ of: (version) => version }),
  ];
  return (
    <Section title="Versions" note="one version is counted">
      <DataTable
        caption="Versions of the task"
        className="table-compact"
        columns={columns}
        rows={versions}
        rowKey={({ digest }) => digest ?? ""}
      />
    </Section>
  );
}

const SHOWN_DIGEST = 12;
