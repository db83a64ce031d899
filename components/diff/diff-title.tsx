import { CommandKey } from "@/components/shell/command-key";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { type DataColumn, column } from "@/components/ui/table-columns";
import { Tabs } from "@/components/ui/tabs";
import { TimeText } from "@/components/ui/time-text";
import { Unknown } from "@/components/ui/values";
import { formatCost, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { OUTCOME_WORDS, capitalise, formatTask } from "@/lib/core/format/words";
import { jobHref } from "@/lib/pages/address/href";
import {
  DIFF_TABS,
  type DiffParams,
  type DiffTab,
  type TrialRef,
  diffHref,
  swappedHref,
} from "@/lib/pages/diff/address";
import type { DiffPage, DiffTrial, PickedAttempt, getPicker } from "@/lib/pages/diff/page";
import { openTrialHref } from "@/lib/pages/trial/address";

import "./diff.css";

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

function DiffHead({ letter, trial: { at, job, trial, identity } }: { letter: string; trial: DiffTrial }) {
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

const LABELS: Readonly<Record<DiffTab, string>> = {
  trajectory: "Trajectory",
  tests: "Tests",
  dimensions: "Dimensions",
  files: "Files",
};

/** Tabs count differences only if both trials have data; the files tab counts its own. */
export function DiffTabs({ page: { reading }, params }: { page: DiffPage; params: DiffParams }) {
  const { sources, steps, tests, dimensions } = reading;
  const counts: Partial<Record<DiffTab, number | null>> = {
    trajectory: sources.a.nSteps && sources.b.nSteps ? steps.differences.total : null,
    tests: tests.part.total === 0 ? null : tests.nDiffering,
    dimensions: dimensions.nDiffering,
  };
  const { a, b } = params;
  return (
    <Tabs
      label="What is compared"
      current={params.tab}
      tabs={DIFF_TABS.map((tab) => ({
        id: tab,
        label: LABELS[tab],
        href: diffHref({ a, b, tab }),
        count: counts[tab] ?? null,
      }))}
    />
  );
}

export function DiffPicker({
  trial,
  picker,
  params,
}: {
  trial: DiffTrial;
  picker: Awaited<ReturnType<typeof getPicker>>;
  params: DiffParams;
}) {
  const { at } = trial;
  const a = { jobKey: at.jobKey, trialKey: at.trialKey };
  return (
    <>
      <PageTitle
        title={formatTask(trial.trial)}
        suffix="side by side"
        summary={`Choose another attempt at this task: ${formatPlural(picker.nMatching, "other attempt")} in the open jobs, other verdicts first.`}
      />
      <div className="diff-heads">
        <DiffHead letter="A" trial={trial} />
      </div>
      {picker.nMatching === 0 ? (
        <Notice title="No other attempt at this task is open">
          Open another folder with attempts at it, or set any other trial as b in the URL:
          /diff?a=JOB/TRIAL&amp;b=JOB/TRIAL.
        </Notice>
      ) : (
        <DataTable
          caption="Other attempts at this task"
          columns={listColumns(a)}
          rows={picker.rows}
          rowKey={({ jobKey, key }) => `${jobKey} ${key}`}
        />
      )}
      <Pager
        page={picker}
        noun="attempt"
        label="Pages of the attempts"
        hrefOf={(page) => diffHref({ ...params, page })}
      />
    </>
  );
}

function listColumns(a: TrialRef): readonly DataColumn<PickedAttempt>[] {
  return [
    column(
      "Reward",
      ({ outcome, rewardText }) => (
        <span className="status-word">
          <Mark status={outcome} label={OUTCOME_WORDS[outcome]} />
          {rewardText ?? <Unknown />}
        </span>
      ),
      { phone: "score", width: 96 },
    ),
    column(
      "Attempt",
      ({ jobKey, key, jobName, attempt }) => (
        <Link href={diffHref({ a, b: { jobKey, trialKey: key } })} data-row-link="">
          {jobName}, attempt {attempt}
        </Link>
      ),
      { className: "name", phone: "first" },
    ),
    column(
      "Agent",
      ({ identity, agent, model }) => <AgentName identity={identity} agent={agent} model={model} />,
      { phone: "second" },
    ),
    column("Duration", ({ durationMs }) => formatDuration(durationMs), { numeric: true, phone: "second" }),
    column("Cost, $", ({ costUsd }) => formatCost(costUsd), { numeric: true, phone: "labelled" }),
  ];
}

export function NothingChosen() {
  return (
    <>
      <PageTitle title="Side by side" summary="Steps, tests, dimensions and files of two trials." />
      <Notice title="Choose a trial first" actions={<ButtonLink href="/">All jobs</ButtonLink>}>
        Open a trial and press c, or choose “Compare side by side” next to its other attempts.
      </Notice>
    </>
  );
}

export function DiffNotFound({ letter, named }: { letter: string; named: TrialRef }) {
  return (
    <Notice
      title={`Trial ${letter} is not in the open folders`}
      code={`${named.jobKey}/${named.trialKey}`}
      actions={<ButtonLink href={jobHref(named.jobKey)}>Its job</ButtonLink>}
    >
      The link may be incomplete, the folder was deleted, its job is not read yet, or its folder is not open.
    </Notice>
  );
}
