import Link from "next/link";

import type { JobParams } from "@/app/jobs/[job]/search-params";
import { AgentName } from "@/components/ui/agent-name";
import { ExactNumber } from "@/components/ui/exact-number";
import { StatusWord } from "@/components/ui/mark";
import { Seal } from "@/components/ui/seal";
import { trialHref } from "@/lib/format/href";
import { formatCost, formatCount, MISSING } from "@/lib/format/number";
import { formatDuration, formatTime } from "@/lib/format/time";
import type { TrialsRow } from "@/lib/queries/job-page-trials";

import { formatFigure } from "./job-group-lines";

/** One trial of the trials table. */
export function JobTrialRow({
  row,
  identity,
  jobKey,
  params,
  year,
}: {
  row: TrialsRow;
  identity: number;
  jobKey: string;
  params: JobParams;
  year: number;
}) {
  const { trial } = row;
  const shows = (column: JobParams["hidden"][number]) => !params.hidden.includes(column);
  const name = (
    <>
      <span className="cut">{trial.taskName}</span>
      <span className="muted"> {trial.attempt}</span>
    </>
  );
  return (
    <tr>
      <td className="name">
        {trial.folder === "" ? (
          <span className="job-task job-attempt" title={`${trial.trialName}: its folder is not here`}>
            {name}
          </span>
        ) : (
          <Link
            className="job-task job-attempt"
            href={trialHref(jobKey, trial.key)}
            data-row-link=""
            prefetch={false}
            title={trial.trialName}
          >
            {name}
          </Link>
        )}
      </td>
      {shows("agent") ? (
        <td>
          <AgentName identity={identity} agent={trial.agent} model={trial.model} />
        </td>
      ) : null}
      <td>
        <StatusWord status={trial.outcome} />
      </td>
      <RewardCell row={row} />
      {shows("exception") ? (
        <td className={trial.exception === null ? "unknown" : undefined}>
          {trial.exception === null ? (
            MISSING
          ) : (
            <span
              className="job-exception"
              title={trial.exception.message.slice(0, MESSAGE_AT_MOST) || trial.exception.type}
            >
              {trial.exception.type}
            </span>
          )}
        </td>
      ) : null}
      {shows("judgment") ? <JudgmentCell row={row} /> : null}
      {shows("cost") ? <NumberCell text={formatCost(trial.tokens.costUsd)} /> : null}
      {shows("duration") ? <NumberCell text={formatDuration(row.durationMs)} /> : null}
      {shows("tokens") ? <NumberCell text={formatCount(row.nTokens)} minor /> : null}
      {shows("started") ? (
        <td className="numeric muted minor" title={trial.time.startedAt?.text}>
          {formatTime(trial.time.startedAt, year)}
        </td>
      ) : null}
    </tr>
  );
}

function NumberCell({ text, minor = false }: { text: string; minor?: boolean }) {
  const classes = ["numeric", minor ? "minor" : "", text === MISSING ? "unknown" : ""].filter(Boolean);
  return <td className={classes.join(" ")}>{text}</td>;
}

/** More of a message than this helps nobody in a tooltip; the trial's page has it whole. */
const MESSAGE_AT_MOST = 500;

function RewardCell({ row: { reward, nRewardKeys, filesDiffer, trial } }: { row: TrialsRow }) {
  if (reward !== null) {
    return (
      <td className="numeric">
        {filesDiffer === null ? null : (
          <span className="job-files-differ" title={filesDiffer}>
            <Seal seal="mismatch" words="file differs" />
          </span>
        )}
        <ExactNumber shown={formatFigure(reward.text)} exact={reward.text} />
      </td>
    );
  }
  const title = trial.rewardsProblem ?? (nRewardKeys > 1 ? "Several reward keys: choose one" : "No reward");
  return (
    <td className="numeric unknown" title={title}>
      {nRewardKeys > 1 ? `${nRewardKeys} keys` : MISSING}
    </td>
  );
}

function JudgmentCell({ row: { judgments } }: { row: TrialsRow }) {
  if (judgments === null) return <td className="unknown">{MISSING}</td>;
  const names = judgments.latest.map((one) => `${one.reviewerId}: ${one.judgment}`).join(", ");
  return (
    <td title={names}>
      {judgments.judgment === "mixed" ? "reviewers differ" : judgments.judgment}
      {judgments.disagrees ? <span className="job-disagrees">, disagrees</span> : null}
    </td>
  );
}
