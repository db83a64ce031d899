import { JUDGMENT_MARKS, JUDGMENT_WORDS } from "@/components/annotations/judgment-words";
import { AgentMark } from "@/components/ui/agent-mark";
import { intervalColumn, IntervalPlot } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Mark, StatusWord } from "@/components/ui/mark";
import { Section } from "@/components/ui/page-title";
import { Preformatted } from "@/components/ui/preformatted";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TableSection } from "@/components/ui/table-section";
import { Count, Unknown } from "@/components/ui/values";
import { dropShared } from "@/lib/core/charts/text-fit";
import { describeMean, formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { formatDay } from "@/lib/core/format/time";
import { taskHref } from "@/lib/pages/tasks/address";
import type {
  getTaskReviews,
  TaskDimension,
  TaskTests as Tests,
  TaskInstruction as Instruction,
  TaskInstructions,
} from "@/lib/pages/tasks/detail";
import type { TaskPage } from "@/lib/pages/tasks/page";
import { trialPageHref } from "@/lib/pages/trial/address";

import { passedColumns } from "./passed";
import { describePassed, nameAgentModel } from "./task-words";

/** Longer text is folded: the first line is enough for readers who know the task. */
const MOST_OPEN_CHARS = 500;
/** The rest of a line would not be visible. */
const MAX_FIRST_CHARS = 160;

export function TaskInstruction({ instructions }: { instructions: TaskInstructions }) {
  const { texts, nRead, nUnread } = instructions;
  if (texts.length === 0) {
    return (
      <EmptySection title="Instruction">
        {nRead === 0
          ? "No attempt recorded its instruction."
          : nUnread === nRead
            ? `The trajectories of the ${formatPlural(nRead, "attempt")} checked cannot be read.`
            : `Unknown: no trajectory of the ${formatPlural(nRead, "attempt")} checked has a user message.`}
      </EmptySection>
    );
  }
  return (
    <Section title="Instruction" note={describe(instructions)}>
      {texts.map((instruction) => (
        <InstructionText key={instruction.text} instruction={instruction} first={texts[0]} />
      ))}
    </Section>
  );
}

function describe({ texts, nRead, nSilent, nUnread }: TaskInstructions): string {
  const nSaying = nRead - nSilent - nUnread;
  const without = nRead === nSaying ? "" : `, ${formatCount(nRead - nSaying)} without one`;
  if (texts.length > 1)
    return `attempts differ: ${formatCount(texts.length)} texts in ${formatPlural(nSaying, "attempt")} checked${without}`;
  return `${nSaying === 1 ? "from 1 attempt" : `the same in ${formatPlural(nSaying, "attempt")} checked`}${without}`;
}

/** `first` is the most common text; others show their first line that differs from it. */
function InstructionText({
  instruction,
  first = instruction,
}: {
  instruction: Instruction;
  first?: Instruction | undefined;
}) {
  const { text, isCut, trial, stepKey, nAttempts } = instruction;
  const content = (
    <>
      <Preformatted className="prose task-instruction-text" tabIndex={0}>
        {text}
      </Preformatted>
      <p className="caption">
        {isCut ? "Cut. " : null}The first user message in{" "}
        <Link href={trialPageHref(trial.jobKey, trial.key, { step: stepKey })}>
          {trial.agent}, {trial.jobName}, attempt {trial.attempt}
        </Link>
        {nAttempts === 1 ? "." : ` and ${formatPlural(nAttempts - 1, "other attempt")}.`}
      </p>
    </>
  );
  if (text.length <= MOST_OPEN_CHARS) return <div className="task-instruction">{content}</div>;
  const differing = first === instruction ? null : findDifference(text, first.text);
  return (
    <details className="task-instruction">
      <summary className="cut">
        {differing !== null && `Differs from line ${formatCount(differing.line)}: `}
        <span className="muted">{(differing?.text ?? text).slice(0, MAX_FIRST_CHARS).toWellFormed()}</span>
      </summary>
      {content}
    </details>
  );
}

function findDifference(text: string, other: string): { readonly line: number; readonly text: string } {
  const [lines, others] = [text.split("\n"), other.split("\n")];
  const at = lines.findIndex((line, index) => line !== others[index]);
  return { line: at + 1, text: lines[at]?.trim() ?? "" };
}

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
    return <EmptySection title="Tests that fail most">No counted attempt has a test report.</EmptySection>;
  }
  const without = found.nUntested === 0 ? "" : `, ${formatCount(found.nUntested)} without`;
  return (
    <TableSection
      title="Tests that fail most"
      note={`${formatPlural(found.nTested, "attempt")} with a test report${without}`}
      empty="No test failed in any of them."
      columns={listTestColumns(columns, shortenTests(tests))}
      rows={tests.map((test, at) => ({ ...test, at }))}
      rowKey={({ name }) => name}
    >
      <p className="caption">
        Failed, of attempts with a report; one attempt can fail several tests.
        {found.nAssumed > 0 &&
          ` Reports of ${formatPlural(found.nAssumed, "attempt")} do not list all tests: unlisted tests count as run.`}
        {found.isAtLeast ? " Some reports were too long: counts are lower bounds." : ""}
        {found.nMore > 0 && ` ${formatPlural(found.nMore, "more test")} not listed.`}
      </p>
    </TableSection>
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
    intervalColumn(({ rate }) => (
      <IntervalPlot
        mark={rate.kind === "computed" ? { value: rate.rate, low: rate.low, high: rate.high } : null}
        title={describePassed(rate).replace("passed", "failed it")}
      />
    )),
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
    <TableSection
      title="Dimensions"
      note="worst first"
      columns={DIMENSION_COLUMNS}
      rows={dimensions}
      rowKey={({ name }) => name}
    >
      <p className="caption">Alone: nothing else was below 1 in the attempt. Interval 95 %, over attempts.</p>
    </TableSection>
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
  intervalColumn(({ mean: result }) => {
    if (result.kind !== "computed") return <IntervalPlot mark={null} title="no mean" />;
    const { mean: value, bounds } = result;
    const known = bounds.kind === "computed" ? bounds : null;
    return (
      <IntervalPlot
        mark={{ value, low: known?.low ?? value, high: known?.high ?? value }}
        title={describeMean(value, known)}
      />
    );
  }),
  column("Alone", ({ nAlone }) => <Count value={nAlone} />, {
    numeric: true,
    title: "Attempts in which only this dimension was below 1",
  }),
];

type Reviews = Awaited<ReturnType<typeof getTaskReviews>>;

export function TaskReviews({ found }: { found: Reviews }) {
  if (found === null) return <EmptySection title="Reviewers">The annotations cannot be read.</EmptySection>;
  const { reviews, nMore, nDisagreeing } = found;
  if (reviews.length === 0) return <EmptySection title="Reviewers">No attempts reviewed.</EmptySection>;
  const total = reviews.length + nMore;
  return (
    <TableSection
      title="Reviewers"
      caption="Reviewed attempts"
      note={`${formatPlural(total, "attempt")} reviewed, ${formatCount(nDisagreeing)} ${nDisagreeing === 1 ? "disagrees" : "disagree"} with the verifier`}
      columns={REVIEW_COLUMNS}
      rows={reviews}
      rowKey={({ jobKey, key }) => `${jobKey}/${key}`}
    >
      {nMore === 0 ? null : <p className="caption">{formatPlural(nMore, "more attempt")} not listed.</p>}
    </TableSection>
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
      <EmptySection title="Versions">
        No attempt records a task digest, so all count as one version.
      </EmptySection>
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
    <TableSection
      title="Versions"
      caption="Versions of the task"
      note="one version is counted"
      columns={columns}
      rows={versions}
      rowKey={({ digest }) => digest ?? ""}
    />
  );
}

const SHOWN_DIGEST = 12;

function EmptySection({ title, children }: { title: string; children: string }) {
  return (
    <Section title={title}>
      <p className="muted">{children}</p>
    </Section>
  );
}
