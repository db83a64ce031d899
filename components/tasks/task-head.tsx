import { ForAction } from "@/components/shell/account-context";
import { AttemptMarks } from "@/components/ui/attempt-marks";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page-title";
import type { TaskRemedy } from "@/lib/core/domain/task-health";
import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { OUTCOME_WORDS } from "@/lib/core/format/words";
import { datasetHref } from "@/lib/pages/datasets/address";
import { diffHref } from "@/lib/pages/diff/address";
import { taskHref } from "@/lib/pages/tasks/address";
import type { PassedAndFailed } from "@/lib/pages/tasks/detail";
import type { DatasetHealth } from "@/lib/pages/tasks/health";
import type { TaskPage } from "@/lib/pages/tasks/page";
import type { EvidenceTrial } from "@/lib/pages/tasks/problems";

import {
  describeEvidence,
  describeNoItemRest,
  describeReferences,
  formatInterval,
  nameAgentModel,
  PROBLEM_WORDS,
  queueTaskHref,
  REMEDY_WORDS,
  taskTrialsHref,
} from "./task-words";

export function TaskTitle({ page }: { page: TaskPage }) {
  const { taskName, dataset, otherDatasets } = page;
  return (
    <>
      <PageTitle
        title={taskName}
        suffix={dataset.isNamed ? dataset.label : "no dataset stated"}
        summary={describe(page)}
        actions={
          <>
            <ButtonLink href={taskTrialsHref(taskName, page.groups)}>Trials</ButtonLink>
            <ForAction action="makeQueueAction">
              <ButtonLink href={queueTaskHref(taskName, page.groups)}>Queue for review</ButtonLink>
            </ForAction>
          </>
        }
      />
      {otherDatasets.length === 0 ? null : (
        <p className="caption task-elsewhere">
          A task of this name is also in{" "}
          {otherDatasets.map(({ id, label, isNamed }, nth) => (
            <span key={id}>
              {nth > 0 && ", "}
              <Link href={taskHref(taskName, { dataset: id })}>{isNamed ? label : "no dataset"}</Link>
            </span>
          ))}
          .
        </p>
      )}
    </>
  );
}

function describe({ rate, nAgents, nJobs, ...page }: TaskPage): string {
  const passed =
    rate.kind === "unavailable"
      ? "No agent’s attempt has ended."
      : `${formatCount(rate.count)} of ${formatPlural(rate.n, "attempt")} passed, ${formatReward(rate.rate, 2)}, 95 % interval ${formatInterval(rate)}; ${formatPlural(nAgents, "agent")}, ${formatPlural(nJobs, "job")}.`;
  const notes = [
    page.nOtherVersion > 0 &&
      `${formatPlural(page.nOtherVersion, "attempt")} at another version not counted.`,
    page.nUnended > 0 && `${formatPlural(page.nUnended, "attempt")} running or without a readable result.`,
    page.nUncounted > 0 &&
      `${formatPlural(page.nUncounted, "attempt")} left out by the rule of their job: invalid or without a reward.`,
    page.nRegraded > 0 && `${formatPlural(page.nRegraded, "regrade")} left out.`,
    page.isCut && "Attempts of older jobs are left out.",
  ];
  return [passed, ...notes.filter(Boolean)].join(" ");
}

export function TaskProblems({
  page,
  health,
  pair,
}: {
  page: TaskPage;
  health: DatasetHealth;
  pair: PassedAndFailed | null;
}) {
  const own = health.tasks.find(({ taskName }) => taskName === page.taskName);
  if (own === undefined || own.version !== page.version) return null;
  const { itemRest, evidence, remedy } = own;
  const r =
    itemRest.r === null
      ? `Item-rest correlation: ${describeNoItemRest(itemRest).replace(/^Not shown: /, "not shown, ")}.`
      : `Item-rest correlation ${formatReward(itemRest.r, 2)}${itemRest.low === null || itemRest.high === null ? "" : `, 95 % interval ${formatReward(itemRest.low, 2)} to ${formatReward(itemRest.high, 2)}`}, over ${itemRest.n} runs.`;
  return (
    <section className="task-problems" aria-label="Task health">
      {remedy === null ? <p>No problems found with this task.</p> : <Remedy remedy={remedy} />}
      <ul>
        {evidence.map((found) => (
          <li key={found.problem}>
            <b>{PROBLEM_WORDS[found.problem]}:</b> <EvidenceMarks trials={found.trials} />{" "}
            {describeEvidence(found, own, health.medianCostUsd)}.
          </li>
        ))}
      </ul>
      {pair === null ? null : <PairLink pair={pair} />}
      <p className="caption">
        {r} {describeReferences(own)}{" "}
        <Link href={datasetHref(page.dataset.id, { tab: "health" })}>Task health of the dataset</Link>
      </p>
    </section>
  );
}

function Remedy({ remedy }: { remedy: TaskRemedy }) {
  const [title, note] = REMEDY_WORDS[remedy];
  return (
    <p className="task-remedy">
      <b>{title}</b>: {note}.
    </p>
  );
}

function PairLink({ pair: { passed, failed } }: { pair: PassedAndFailed }) {
  const href = diffHref({
    a: { jobKey: passed.jobKey, trialKey: passed.key },
    b: { jobKey: failed.jobKey, trialKey: failed.key },
  });
  const isOneJob = passed.jobRowId === failed.jobRowId;
  return (
    <p>
      <Link href={href}>Compare pass and fail</Link>
      <span className="muted">
        {` of ${nameAgentModel(passed)}: attempt ${passed.attempt} (${OUTCOME_WORDS[passed.outcome]})`}
        {isOneJob ? "" : ` in ${passed.jobName}`}
        {` and attempt ${failed.attempt} (${OUTCOME_WORDS[failed.outcome]}) in ${failed.jobName}`}
      </span>
    </p>
  );
}

export function EvidenceMarks({ trials }: { trials: readonly EvidenceTrial[] }) {
  const [first] = trials;
  if (first === undefined) return null;
  return (
    <AttemptMarks
      jobKey={first.jobKey}
      attempts={trials.map(({ jobKey, key, attempt, agent, outcome, exceptionType }) => ({
        key,
        jobKey,
        attempt,
        outcome,
        detail: exceptionType === null ? agent : `${agent}, ${exceptionType}`,
      }))}
    />
  );
}
