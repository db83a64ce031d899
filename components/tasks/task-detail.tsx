import { JUDGMENT_MARKS, JUDGMENT_WORDS } from "@/components/annotations/judgment-words";
import { AgentMark } from "@/components/ui/agent-mark";
import { IntervalHeading, IntervalPlot } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Mark, StatusWord } from "@/components/ui/mark";
import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import { Count, Unknown } from "@/components/ui/values";
import { dropShared } from "@/lib/core/charts/text-fit";
import { formatCount, formatPlural, formatReward, describeMean } from "@/lib/core/format/number";
import { formatDay } from "@/lib/core/format/time";
import { taskHref } from "@/lib/pages/tasks/address";
import type { getTaskReviews, TaskDimension, TaskTests as Tests } from "@/lib/pages/tasks/detail";
import type { TaskPage } from "@/lib/pages/tasks/page";
import { trialPageHref } from "@/lib/pages/trial/address";

import { PassedCells } from "./passed";
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
        <p className="muted">No counted attempt left a report of tests.</p>
      </Section>
    );
  }
  const names = shortenTests(tests);
  const without = found.nUntested === 0 ? "" : `, ${formatCount(found.nUntested)} without`;
  return (
    <Section
      title="Tests that fail most"
      note={`${formatPlural(found.nTested, "attempt")} with a report of tests${without}`}
    >
      {tests.length === 0 ? (
        <p className="muted">No test failed in any of them.</p>
      ) : (
        <Table
          caption="Tests that fail most"
          compact
          columns={[
            { id: "test", label: "Test" },
            { id: "failed", label: "Failed", numeric: true },
            { id: "interval", label: <IntervalHeading /> },
            ...columns.map((agent) => ({
              id: `agent ${nameAgentModel(agent)}`,
              label: (
                <span title={nameAgentModel(agent)}>
                  <AgentMark identity={agent.identity} />
                  <span className="screen-reader">{nameAgentModel(agent)}</span>
                </span>
              ),
              numeric: true,
              minor: true,
            })),
          ]}
        >
          <tbody>
            {tests.map(({ name, rate, byAgent }, at) => (
              <tr key={name}>
                <td className="task-test">
                  <code className="cut" title={name}>
                    {names[at]}
                  </code>
                </td>
                <td className="numeric">
                  <b>{rate.kind === "computed" ? formatCount(rate.count) : ""}</b>
                </td>
                <td className="interval-cell">
                  <IntervalPlot
                    mark={
                      rate.kind === "computed" ? { value: rate.rate, low: rate.low, high: rate.high } : null
                    }
                    title={describePassed(rate).replace("passed", "failed it")}
                  />
                </td>
                {byAgent.map(({ nFailed, nTested }, at) => (
                  <td
                    key={nameAgentModel(columns[at] ?? { agent: String(at), model: null })}
                    className={nFailed === 0 ? "numeric minor zero" : "numeric minor"}
                  >
                    {nTested === 0 ? <Unknown /> : `${formatCount(nFailed)}/${formatCount(nTested)}`}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <CountingNote {...found} />
    </Section>
  );
}

function CountingNote({ nAssumed, isAtLeast, nMore }: Pick<Tests, "nAssumed" | "isAtLeast" | "nMore">) {
  return (
    <p className="caption">
      Failed of attempts with a report; one attempt can fail several tests.
      {nAssumed === 0
        ? ""
        : ` Reports of ${formatPlural(nAssumed, "attempt")} do not list all tests: a test counts as run there.`}
      {isAtLeast ? " Some reports were too long: counts are at least these." : ""}
      {nMore === 0 ? "" : ` ${formatPlural(nMore, "more test")} not listed.`}
    </p>
  );
}

export function TaskDimensions({ dimensions }: { dimensions: readonly TaskDimension[] }) {
  if (dimensions.length === 0) return null;
  return (
    <Section title="Dimensions" note="worst first">
      <Table
        caption="Dimensions"
        compact
        columns={[
          { id: "name", label: "Dimension" },
          { id: "n", label: "Attempts", numeric: true },
          { id: "mean", label: "Mean", numeric: true },
          { id: "interval", label: <IntervalHeading /> },
          {
            id: "alone",
            label: "Alone",
            numeric: true,
            title: "Attempts in which nothing but this dimension was below 1",
          },
        ]}
      >
        <tbody>
          {dimensions.map(({ name, mean, n, nAlone }) => {
            const bounds = mean.kind === "computed" && mean.bounds.kind === "computed" ? mean.bounds : null;
            const value = mean.kind === "computed" ? mean.mean : null;
            return (
              <tr key={name}>
                <td className="task-test">
                  <span className="cut" title={name}>
                    {name}
                  </span>
                </td>
                <td className="numeric">{formatCount(n)}</td>
                <td className="numeric">
                  <b>{formatReward(value, 2)}</b>
                </td>
                <td className="interval-cell">
                  <IntervalPlot
                    mark={
                      value === null
                        ? null
                        : { value, low: bounds?.low ?? value, high: bounds?.high ?? value }
                    }
                    title={value === null ? "no mean" : describeMean(value, bounds)}
                  />
                </td>
                <td className="numeric">
                  <Count value={nAlone} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      <p className="caption">
        Alone: nothing else was below 1 in that attempt. Interval 95 %, over attempts.
      </p>
    </Section>
  );
}

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
        <p className="muted">No attempt was reviewed.</p>
      </Section>
    );
  }
  const total = reviews.length + nMore;
  return (
    <Section
      title="Reviewers"
      note={`${formatPlural(total, "attempt")} reviewed, ${formatCount(nDisagreeing)} ${nDisagreeing === 1 ? "disagrees" : "disagree"} with the verifier`}
    >
      <Table
        caption="Reviewed attempts"
        compact
        columns={[
          { id: "attempt", label: "Attempt" },
          { id: "verifier", label: "Verifier" },
          { id: "reviewer", label: "Reviewer" },
          { id: "note", label: "Note" },
        ]}
      >
        <tbody>
          {reviews.map(({ jobKey, jobName, key, agent, attempt, outcome, judgments }) => (
            <tr key={`${jobKey}/${key}`}>
              <td className="name">
                <Link href={trialPageHref(jobKey, key)}>
                  {agent}, {jobName}, attempt {attempt}
                </Link>
              </td>
              <td>
                <StatusWord status={outcome} />
              </td>
              <td>
                {judgments.judgment === "mixed" ? (
                  "In conflict"
                ) : (
                  <span className="status-word">
                    <Mark status={JUDGMENT_MARKS[judgments.judgment]} />
                    {JUDGMENT_WORDS[judgments.judgment]}
                  </span>
                )}
              </td>
              <td className="wrap">{judgments.latest[0]?.notes?.slice(0, MOST_NOTE).toWellFormed() ?? ""}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {nMore === 0 ? null : <p className="caption">{formatPlural(nMore, "more attempt")} not listed.</p>}
    </Section>
  );
}

const MOST_NOTE = 300;

export function TaskVersions({ page }: { page: TaskPage }) {
  const { versions, taskName, dataset } = page;
  if (versions.every(({ digest }) => digest === null)) {
    return (
      <Section title="Versions">
        <p className="muted">No attempt states a digest of the task: all count as one version.</p>
      </Section>
    );
  }
  return (
    <Section title="Versions" note="one version is counted">
      <Table
        caption="Versions of the task"
        compact
        columns={[
          { id: "digest", label: "Digest" },
          { id: "since", label: "Since" },
          { id: "passed", label: "Passed", numeric: true },
          { id: "interval", label: <IntervalHeading /> },
        ]}
      >
        <tbody>
          {versions.map(({ digest, sinceMs, rate, isCounted }) => (
            <tr key={digest ?? ""}>
              <td className="name">
                {digest === null ? (
                  <Unknown>not stated</Unknown>
                ) : isCounted ? (
                  <code title={digest}>{digest.slice(0, SHOWN_DIGEST)}</code>
                ) : (
                  <Link href={taskHref(taskName, { dataset: dataset.id, version: digest })} title={digest}>
                    <code>{digest.slice(0, SHOWN_DIGEST)}</code>
                  </Link>
                )}
                {isCounted ? <span className="muted"> counted</span> : null}
              </td>
              <td className="muted">{formatDay(sinceMs)}</td>
              <PassedCells rate={rate} />
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

const SHOWN_DIGEST = 12;
