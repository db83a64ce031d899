import { AttemptMarks } from "@/components/ui/attempt-marks";
import { Link } from "@/components/ui/link";
import { datasetHref } from "@/lib/addresses/datasets";
import { formatReward } from "@/lib/format/number";
import type { DatasetHealth } from "@/lib/queries/tasks/health";
import type { TaskPage } from "@/lib/queries/tasks/page";
import type { EvidenceTrial } from "@/lib/queries/tasks/problems";

import { describeEvidence, describeNoItemRest, describeReferences, PROBLEM_WORDS } from "./task-words";

/** What is the matter with a task, the worst first, and its correlation with the others of its dataset. */
export function TaskProblems({ page, health }: { page: TaskPage; health: DatasetHealth }) {
  const own = health.tasks.find(({ taskName }) => taskName === page.taskName);
  if (own === undefined || own.version !== page.version) return null;
  const { itemRest, evidence } = own;
  const r =
    itemRest.r === null
      ? `Item-rest correlation: ${describeNoItemRest(itemRest).replace(/^Not shown: /, "not shown, ")}.`
      : `Item-rest correlation ${formatReward(itemRest.r, 2)}${itemRest.low === null || itemRest.high === null ? "" : `, 95 % interval ${formatReward(itemRest.low, 2)} to ${formatReward(itemRest.high, 2)}`}, over ${itemRest.n} runs.`;
  return (
    <section className="task-problems" aria-label="Task health">
      {evidence.length === 0 ? <p>No problem found with this task.</p> : null}
      <ul>
        {evidence.map((found) => (
          <li key={found.problem}>
            <b>{PROBLEM_WORDS[found.problem]}:</b> <EvidenceMarks trials={found.trials} />{" "}
            {describeEvidence(found, own, health.medianCostUsd)}.
          </li>
        ))}
      </ul>
      <p className="caption">
        {r} {describeReferences(own)}{" "}
        <Link href={datasetHref(page.dataset.id, { tab: "health" })}>Task health of the dataset</Link>
      </p>
    </section>
  );
}

/** The trials that show a problem, each a link. */
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
