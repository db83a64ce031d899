import { AgentName } from "@/components/ui/agent-name";
import { Check } from "@/components/ui/check";
import { ExactNumber } from "@/components/ui/exact-number";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { StatusWord } from "@/components/ui/mark";
import { SuspectMark } from "@/components/ui/suspect-mark";
import type { DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { Unknown } from "@/components/ui/values";
import { readCost } from "@/lib/core/domain/spending";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import { formatSetup } from "@/lib/core/format/agent-settings";
import { formatFigure } from "@/lib/core/format/figure";
import { formatCost, formatCount, MISSING } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { COPIED_COST_WORDS, describeSuspicion } from "@/lib/core/format/words";
import { writePick } from "@/lib/pages/annotations/review-address";
import { type JobParams, jobTrialsHref } from "@/lib/pages/job/address";
import type { JobGroup } from "@/lib/pages/job/page";
import type { TrialsRow } from "@/lib/pages/job/trials";
import { trialPageHref } from "@/lib/pages/trial/address";
import { nameTrialRow } from "@/lib/pages/trials/address";

import { openExcerpt } from "./open-excerpt";

export interface TrialLine extends TrialsRow {
  readonly jobKey: string;
  readonly jobName: string | null;
  readonly list: string | null;
  readonly group: Pick<JobGroup, "identity"> | null;
  readonly part: Pick<JobGroup, "identity" | "setup"> | null;
  readonly prefix: string;
}

const MESSAGE_AT_MOST = 200;

export const SELECTION_FORM = "select-trials";

export const TRIAL_COLUMNS: readonly DataColumn<TrialLine>[] = [
  {
    id: "task",
    header: "Task and attempt",
    enableHiding: false,
    meta: { className: "name", sort: "task", ascends: true, field: "task_name", phone: "first" },
    cell: (line) => (
      <span className="job-pick">
        <Pick {...line} />
        <TrialName {...line} />
      </span>
    ),
  },
  {
    id: "agent",
    header: "Agent and model",
    meta: { sort: "agent", ascends: true, field: "agent", phone: "second" },
    cell: ({ trial, group, part }) => (
      <>
        <AgentName identity={(part ?? group)?.identity ?? 0} agent={trial.agent} model={trial.model} />
        {part === null ? null : <span className="muted"> {formatSetup(part.setup ?? [])}</span>}
      </>
    ),
  },
  {
    id: "outcome",
    header: "Outcome",
    meta: { sort: "outcome", ascends: true, field: "outcome", phone: "side" },
    cell: ({ trial }) => <StatusWord status={trial.outcome} />,
  },
  {
    id: "reward",
    header: "Reward",
    meta: { numeric: true, sort: "reward", field: "rewards", phone: "score" },
    cell: (line) => <Reward {...line} />,
  },
  {
    id: "exception",
    header: "Exception",
    meta: { sort: "exception", ascends: true, field: "exception_type", phone: "second" },
    cell: (line) => <Exception {...line} />,
  },
  {
    id: "judgment",
    header: "Judgment",
    meta: { field: "judgment", phone: "second" },
    cell: ({ judgments }) =>
      judgments === null ? (
        <Unknown />
      ) : (
        <span title={judgments.latest.map((one) => `${one.reviewerId}: ${one.judgment}`).join(", ")}>
          {judgments.judgment === "mixed" ? "reviewers differ" : judgments.judgment}
          {judgments.isDecided ? ", decided" : ""}
          {judgments.disagrees ? <span className="job-disagrees">, disagrees</span> : null}
        </span>
      ),
  },
  {
    id: "cost",
    header: "Cost, $",
    meta: { numeric: true, sort: "cost", field: "cost_usd" },
    cell: ({ trial }) => <Amount value={readCost(trial)} format={formatCost} trial={trial} />,
  },
  {
    id: "duration",
    header: "Duration",
    meta: { numeric: true, sort: "duration", field: "duration_ms", phone: "end" },
    cell: ({ durationMs }) => <Amount value={durationMs} format={formatDuration} />,
  },
  {
    id: "tokens",
    header: "Tokens",
    meta: { numeric: true, room: "minor", sort: "tokens", field: "n_input_tokens" },
    cell: ({ nTokens, trial }) => <Amount value={nTokens} format={formatCount} trial={trial} />,
  },
  {
    id: "steps",
    header: "Steps",
    startsHidden: true,
    meta: { numeric: true, room: "minor", sort: "steps" },
    cell: ({ nSteps }) => <Amount value={nSteps} format={formatCount} />,
  },
  {
    id: "errors",
    header: "Errors",
    startsHidden: true,
    meta: { numeric: true, room: "minor", sort: "errors", title: "Steps with an error" },
    cell: ({ nErrors }) => <Amount value={nErrors} format={formatCount} />,
  },
  {
    id: "started",
    header: "Started",
    meta: {
      numeric: true,
      className: "muted",
      room: "minor",
      sort: "started",
      ascends: true,
      field: "started_at",
    },
    cell: ({ trial }) => <TimeText time={trial.time.startedAt} narrow />,
  },
];

const JOB_COLUMN: DataColumn<TrialLine> = {
  id: "job",
  header: "Job",
  meta: { className: "muted", field: "job_name", room: "minor" },
  cell: ({ jobKey, jobName }) => (
    <Link className="job-of-trial" href={jobTrialsHref(jobKey, {})}>
      {jobName}
    </Link>
  ),
};

const AMOUNTS = ["steps", "errors", "cost", "duration", "tokens"];

export const ALL_TRIAL_COLUMNS = TRIAL_COLUMNS.flatMap((column) => {
  if (column.id === "outcome") return [JOB_COLUMN, column];
  if (column.id === "exception") return [...listAmounts(), column];
  return AMOUNTS.includes(column.id) ? [] : [column];
});

function listAmounts(): readonly DataColumn<TrialLine>[] {
  const amounts = TRIAL_COLUMNS.filter(({ id }) => AMOUNTS.includes(id));
  return amounts.map((column) => ({ ...column, startsHidden: false }));
}

/** Times are shown only if sorted by, for lack of space. */
function listAllJobsColumns(sort: JobParams["trialSort"]): readonly DataColumn<TrialLine>[] {
  return ALL_TRIAL_COLUMNS.map((column) =>
    column.id === "started" ? { ...column, startsHidden: sort !== "started" } : column,
  );
}

export function listTrialColumns({
  rewardKey,
  isOfAllJobs,
  trialSort,
}: Pick<JobParams, "rewardKey" | "isOfAllJobs" | "trialSort">): readonly DataColumn<TrialLine>[] {
  const columns = isOfAllJobs ? listAllJobsColumns(trialSort) : TRIAL_COLUMNS;
  if (rewardKey === null) return columns;
  return columns.map((one) => (one.id === "reward" ? { ...one, header: `Reward ${rewardKey}` } : one));
}

function Pick({ jobKey, trial }: TrialLine) {
  if (trial.state !== "finished") return <span className="job-pick-none" />;
  return (
    <input
      type="checkbox"
      name="pick"
      value={writePick(jobKey, trial.key)}
      form={SELECTION_FORM}
      aria-label={`Select ${trial.taskName} ${trial.attempt}`}
    />
  );
}

function TrialName({ jobKey, jobName, list, trial, part, setup, prefix, excerpt }: TrialLine) {
  const words = (
    <>
      <span className="cut">
        <FoldedName name={trial.taskName} prefix={prefix} />
      </span>
      <span className="muted">{` ${part === null ? trial.attempt : (setup?.attempt ?? trial.attempt)}`}</span>
    </>
  );
  const className = "job-task job-attempt";
  const id = nameTrialRow(trial.key, jobName === null ? null : jobKey);
  return trial.folder === "" ? (
    <span id={id} className={className} title={`${trial.trialName}: its folder is not here`} tabIndex={-1}>
      {words}
    </span>
  ) : (
    <Link
      id={id}
      className={className}
      href={trialPageHref(jobKey, trial.key, { list, ...openExcerpt(excerpt) })}
      data-row-link=""
      title={trial.trialName}
    >
      {words}
    </Link>
  );
}

function Amount({
  value,
  format,
  trial,
}: {
  value: number | null;
  format: (value: number) => string;
  trial?: TrialLine["trial"];
}) {
  if (value === null) return <Unknown />;
  if (trial === undefined || trial.sourceTrial === null) return format(value);
  return (
    <span className="muted" title={`Not run again: ${COPIED_COST_WORDS}`}>
      {format(value)}
    </span>
  );
}

function Reward({ reward, nRewardKeys, trial, filesDiffer, suspicion }: TrialLine) {
  const doubt = suspicion === null ? null : <SuspectMark reason={describeSuspicion(suspicion)} />;
  if (reward !== null)
    return (
      <>
        {filesDiffer === null ? null : (
          <span className="job-files-differ" title={filesDiffer}>
            <Check verdict="mismatch" words="file differs" />
          </span>
        )}
        {doubt}
        <ExactNumber shown={formatFigure(reward.text)} exact={reward.text} />
      </>
    );
  const isMany = nRewardKeys > 1;
  const why = trial.rewardsProblem ?? (isMany ? "Several reward keys: choose one" : "No reward");
  return (
    <Unknown title={why}>
      {doubt}
      {isMany ? `${nRewardKeys} keys` : MISSING}
    </Unknown>
  );
}

function Exception({ trial }: TrialLine) {
  const failure = selectFailure(trial);
  if (failure === null) return <Unknown />;
  const { type, message } = failure.exception;
  return (
    <>
      <span className="job-exception" title={message.slice(0, MESSAGE_AT_MOST) || type}>
        {type}
      </span>
      {failure.stepName === null ? null : <span className="muted"> in step {failure.stepName}</span>}
    </>
  );
}
