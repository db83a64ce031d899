import { CommandKey } from "@/components/shell/command-key";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { PageTitle } from "@/components/ui/page-title";
import { TimeText } from "@/components/ui/time-text";
import { capitalise, OUTCOME_WORDS, formatTask } from "@/lib/core/format/words";
import { jobHref } from "@/lib/pages/address/href";
import { diffHref, type DiffParams, swappedHref } from "@/lib/pages/diff/address";
import type { DiffPage, DiffTrial } from "@/lib/pages/diff/page";
import { openTrialHref } from "@/lib/pages/trial/address";

import "./diff-title.css";

export function DiffTitle({ page: { a, b }, params }: { page: DiffPage; params: DiffParams }) {
  return (
    <>
      <PageTitle
        title={formatTask(a.trial)}
        suffix={a.trial.taskName === b.trial.taskName ? "side by side" : `and ${formatTask(b.trial)}`}
        summary={describeTasks(a, b)}
        actions={
          <>
            <Link
              className="button"
              href={swappedHref(params)}
              mode="replace"
              title="Swap A and B"
              data-command="diff.swap"
            >
              Swap <CommandKey id="diff.swap" />
            </Link>
            <ButtonLink href={diffHref({ a: params.a, isPicking: true })}>Choose another attempt</ButtonLink>
          </>
        }
      />
      <div className="diff-heads">
        <DiffHead letter="A" trial={a} />
        <DiffHead letter="B" trial={b} />
      </div>
    </>
  );
}

export function DiffHead({
  letter,
  trial: { at, job, trial, identity },
}: {
  letter: string;
  trial: DiffTrial;
}) {
  const time = trial.time.finishedAt ?? trial.time.startedAt;
  return (
    <div className="flow diff-head">
      <b className="diff-letter">{letter}</b>
      <span className="status-word">
        <Mark status={trial.outcome} size={16} />
        <b>{capitalise(OUTCOME_WORDS[trial.outcome])}</b>
      </span>
      <AgentName identity={identity} agent={trial.agent} model={trial.model} />
      <span className="muted diff-place">
        <Link href={openTrialHref(at)} title={`Open trial ${letter}`}>
          attempt {trial.attempt}
        </Link>
        {", "}
        <Link className="quiet" href={jobHref(job.key)}>
          {job.name}
        </Link>
        {time === null ? null : (
          <>
            {", "}
            <TimeText time={time} />
          </>
        )}
      </span>
    </div>
  );
}

function describeTasks({ at, trial: a }: DiffTrial, { at: other, trial: b }: DiffTrial): string {
  if (at.jobKey === other.jobKey && at.trialKey === other.trialKey)
    return "A and B are the same trial. Choose another attempt to compare it with.";
  if (a.taskName !== b.taskName) return "Two different tasks, which may explain most differences.";
  const outcomes =
    a.outcome === b.outcome ? "" : `${capitalise(OUTCOME_WORDS[a.outcome])} vs ${OUTCOME_WORDS[b.outcome]}. `;
  if (a.taskDigest === null || b.taskDigest === null)
    return `${outcomes}Same task name; without a digest it is unknown if the task files are the same.`;
  return a.taskDigest === b.taskDigest
    ? `${outcomes}The task files are identical (same digest).`
    : `${outcomes}Same task name, but the task files differ (different digests).`;
}
