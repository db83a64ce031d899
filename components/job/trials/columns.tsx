import { AgentName } from "@/components/ui/agent-name";
import { Check } from "@/components/ui/check";
import { ExactNumber } from "@/components/ui/exact-number";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { StatusWord } from "@/components/ui/mark";
import { SuspectMark } from "@/components/ui/suspect-mark";
import { type Drawn, listColumns } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { Unknown } from "@/components/ui/values";
import { readCost } from "@/lib/core/domain/spending";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import { TRIAL_COLUMNS, type TrialColumn } from "@/lib/core/fields/trials.fields";
import { formatSetup } from "@/lib/core/format/agent-settings";
import { formatFigure } from "@/lib/core/format/figure";
import { formatCost, formatCount, MISSING } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { formatDuration } from "@/lib/core/format/time";
import { COPIED_COST_WORDS, describeSuspicion, formatTask } from "@/lib/core/format/words";
import { CLASSES } from "@/lib/core/triage/classes";
import { writePick } from "@/lib/pages/annotations/review-address";
import type { JobGroup } from "@/lib/pages/job/page";
import type { TrialsPanel } from "@/lib/pages/job/trials";
import { trialPageHref } from "@/lib/pages/trial/address";
import { nameTrialRow, trialsPageHref, type TrialsParams } from "@/lib/pages/trials/address";

import { openExcerpt } from "./open-excerpt";

/** A row of the list with the job that it is of. */
export type TrialLine = ReturnType<typeof listTrialLines>[number];

export interface TrialPlace {
  readonly jobKey: string;
  readonly jobName: string | null;
  readonly group: Pick<JobGroup, "identity"> | null;
  readonly part: Pick<JobGroup, "identity" | "setup"> | null;
}

type Row = TrialsPanel["rows"][number];

export function listTrialLines(
  rows: readonly Row[],
  list: string | null,
  describe: (row: Row) => TrialPlace,
) {
  const prefix = findSharedPrefix(rows.map(({ trial }) => trial.taskName));
  return rows.map((row) => ({ ...row, ...describe(row), list, prefix }));
}

const MESSAGE_AT_MOST = 200;

export const SELECTION_FORM = "select-trials";

/** A column without any value is hidden. */
function amount(
  read: (line: TrialLine) => number | null,
  format: (value: number) => string,
  isCopied = false,
): Drawn<TrialLine> {
  return {
    cell: (line) => {
      const value = read(line);
      if (value === null) return <Unknown />;
      if (!isCopied || line.trial.sourceTrial === null) return format(value);
      return (
        <span className="muted" title={`Not run again: ${COPIED_COST_WORDS}`}>
          {format(value)}
        </span>
      );
    },
    isFilled: (line) => read(line) !== null,
  };
}

const CELLS: Readonly<Record<TrialColumn, Drawn<TrialLine>>> = {
  task: (line) => (
    <span className="inline-row job-pick">
      <Pick {...line} />
      <TrialName {...line} />
    </span>
  ),
  agent: ({ trial, group, part }) => (
    <>
      <AgentName identity={(part ?? group)?.identity ?? 0} agent={trial.agent} model={trial.model} />
      {part === null ? null : <span className="muted"> {formatSetup(part.setup ?? [])}</span>}
    </>
  ),
  job: ({ jobKey, jobName }) => (
    <Link className="job-of-trial" href={trialsPageHref(jobKey, {})}>
      {jobName}
    </Link>
  ),
  outcome: ({ trial }) => <StatusWord status={trial.outcome} />,
  cause: {
    cell: ({ failure }) => (failure.state === "known" ? CLASSES[failure.failureClass].words : null),
    isFilled: ({ failure }) => failure.state === "known",
  },
  reward: (line) => <Reward {...line} />,
  exception: {
    cell: (line) => <Exception {...line} />,
    isFilled: ({ trial }) => selectFailure(trial) !== null,
  },
  judgment: {
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
    isFilled: ({ judgments }) => judgments !== null,
  },
  cost: amount(({ trial }) => readCost(trial), formatCost, true),
  duration: amount(({ durationMs }) => durationMs, formatDuration),
  tokens: amount(({ nTokens }) => nTokens, formatCount, true),
  steps: amount(({ nSteps }) => nSteps, formatCount),
  errors: amount(({ nErrors }) => nErrors, formatCount),
  started: ({ trial }) => <TimeText time={trial.time.startedAt} narrow />,
};

type Place = (typeof TRIAL_COLUMNS)[TrialColumn] & { readonly inAllJobs?: "only" | "early" };

/** The list of all jobs has no space for these unless it is sorted by them. Its cause column names the exception, too. */
const RARE: ReadonlySet<TrialColumn> = new Set(["steps", "errors", "exception", "started"]);

export function listTrialColumns({
  rewardKey = null,
  isOfAllJobs,
  sort,
}: Pick<TrialsParams, "isOfAllJobs"> & Partial<Pick<TrialsParams, "rewardKey" | "sort">>) {
  const all = listColumns<TrialLine, TrialColumn>(TRIAL_COLUMNS, CELLS);
  type Column = (typeof all)[number];
  const placeOf = ({ id }: Column) => {
    const column: Place = TRIAL_COLUMNS[id];
    return column.inAllJobs;
  };
  const early = all.filter((one) => placeOf(one) === "early");
  const place = (one: Column): readonly Column[] => {
    if (one.id === "exception") return [...early, one];
    return early.includes(one) ? [] : [one];
  };
  const hide = (one: Column): Column =>
    early.includes(one) || RARE.has(one.id)
      ? { ...one, startsHidden: RARE.has(one.id) && one.id !== sort }
      : one;
  const columns = isOfAllJobs ? all.flatMap(place).map(hide) : all.filter((one) => placeOf(one) !== "only");
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
      aria-label={`Select ${formatTask(trial)} ${trial.attempt}`}
    />
  );
}

function TrialName({ jobKey, jobName, list, trial, part, setup, prefix, excerpt }: TrialLine) {
  const words = (
    <>
      <span className="cut">
        <FoldedName name={formatTask(trial)} prefix={prefix} />
      </span>
      <span className="muted">{` ${part === null ? trial.attempt : (setup?.attempt ?? trial.attempt)}`}</span>
    </>
  );
  const className = "job-task job-attempt";
  const id = nameTrialRow(trial.key, jobName === null ? null : jobKey);
  return trial.folder === "" ? (
    <span id={id} className={className} title={`${trial.trialName}: no folder`} tabIndex={-1}>
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
