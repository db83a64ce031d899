import { AttemptMarks } from "@/components/ui/attempt-marks";
import { Link } from "@/components/ui/link";
import type { TaskRemedy } from "@/lib/core/domain/task-health";
import { formatReward } from "@/lib/core/format/number";
import { OUTCOME_WORDS } from "@/lib/core/format/words";
import { datasetHref } from "@/lib/pages/datasets/address";
import { diffHref } from "@/lib/pages/diff/address";
import type { DatasetHealth } from "@/lib/pages/tasks/health";
import type { TaskPage } from "@/lib/pages/tasks/page";
import type { PassedAndFailed } from "@/lib/pages/tasks/passed-and-failed";
import type { EvidenceTrial } from "@/lib/pages/tasks/problems";

import {
  describeEvidence,
  describeNoItemRest,
  describeReferences,
  nameAgentModel,
  PROBLEM_WORDS,
  REMEDY_WORDS,
} from "./task-words";

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
