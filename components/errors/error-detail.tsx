import { AgentMark } from "@/components/ui/agent-mark";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { OUTCOME_WORDS } from "@/lib/core/format/words";
import type { ErrorDetail as Detail } from "@/lib/pages/errors/detail";
import type { AgentModel, ErrorRow } from "@/lib/pages/errors/page";
import { jobTrialsHref } from "@/lib/pages/job/address";
import { trialPageHref } from "@/lib/pages/trial/address";
import { writeTrialsList } from "@/lib/pages/trials/address";

import { describeRate } from "./error-words";

export function ErrorDetail({
  row,
  detail,
  agentModels,
}: {
  row: ErrorRow;
  detail: Detail;
  agentModels: readonly AgentModel[];
}) {
  const { nJobs, jobs } = row.spread;
  // Next and previous go through all trials with this exception, in any job.
  const list = writeTrialsList({ isOfAllJobs: true, exceptions: [row.type] });
  return (
    <>
      <p className="error-message">
        {detail.message === null ? (
          <span className="muted">No message was recorded.</span>
        ) : (
          <code>{detail.message}</code>
        )}
        {detail.nMessages > 1 ? (
          <span className="muted">
            {" "}
            the most common of {formatPlural(detail.nMessages, "different message")}
          </span>
        ) : null}
      </p>
      <ul className="error-rates">
        {row.counts
          .filter(({ count }) => count > 0)
          .map((count) => {
            const agentModel = agentModels.find(({ name }) => name === count.agentModel);
            return (
              <li key={count.agentModel}>
                <AgentMark identity={agentModel?.identity ?? 0} />
                <span>{count.agentModel}</span>
                <span className="muted">{describeRate(count.rate)}</span>
              </li>
            );
          })}
      </ul>
      <ul className="error-trials">
        {detail.trials.map((trial) => (
          <li key={`${trial.jobKey}/${trial.key}`} className="row">
            <AgentMark identity={trial.agentModel?.identity ?? 0} />
            <Link
              className="quiet cut grow"
              href={trialPageHref(trial.jobKey, trial.key, { list })}
              title={`${trial.agentModel?.name ?? ""}, ${trial.taskName}, attempt ${String(trial.attempt)}`}
            >
              {trial.taskName}, attempt {trial.attempt}
              {trial.stepName === null ? null : `, step ${trial.stepName}`}
            </Link>
            <Mark status={trial.outcome} label={OUTCOME_WORDS[trial.outcome]} />
            <span className="muted nowrap">{formatDuration(trial.durationMs)}</span>
          </li>
        ))}
      </ul>
      <p className="error-jobs">
        {jobs.map(({ jobKey, jobName, count }) => (
          <Link key={jobKey} href={jobTrialsHref(jobKey, { exceptions: [row.type] })}>
            {nJobs === 1 ? `All ${formatPlural(count, "trial")}` : formatPlural(count, "trial")} in {jobName}
          </Link>
        ))}
        {nJobs > jobs.length ? (
          <span className="muted">and {formatCount(nJobs - jobs.length)} more jobs with fewer</span>
        ) : null}
      </p>
    </>
  );
}
