import type { ClockTime } from "@/lib/domain/clock-time";
import type { Outcome } from "@/lib/domain/trial";
import { selectFailure } from "@/lib/domain/trial-failure";
import { formatSetup } from "@/lib/format/agent-settings";
import { formatFigure } from "@/lib/format/figure";
import { formatCost, formatCount } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import { describeSuspicion } from "@/lib/format/words";
import type { JobGroup } from "@/lib/queries/job/page";
import type { TrialsPanel, TrialsRow } from "@/lib/queries/job/trials";

/**
 * One trial as the table shows it. The rows are drawn in the browser too, so what they are drawn from is sent beside them:
 * texts as they are shown, and nothing that follows from the rest.
 */
export interface TrialLine {
  readonly key: string;
  /** Name of the trial; absent when it is the key. */
  readonly name?: string;
  readonly task: string;
  readonly attempt: number;
  /** True when there is no folder to open. */
  readonly isGone?: true;
  readonly agent: string;
  readonly model?: string;
  /** Settings of its agent, where groups are divided by them. */
  readonly setup?: string;
  readonly identity: number;
  readonly outcome: Outcome;
  /** The shown reward as Python writes it; absent when there is none for the key. */
  readonly exact?: string;
  /** Where it is not as Python writes it. */
  readonly shown?: string;
  /** What stands in place of a reward, and why. */
  readonly noReward?: readonly [words: string, title: string];
  readonly filesDiffer?: string;
  /** Why the verifier may have crashed. */
  readonly suspect?: string;
  readonly exception?: string;
  /** Step that raised it, when the trial itself records none. */
  readonly failedStep?: string;
  /** The beginning of its message, when there is one. */
  readonly message?: string;
  readonly judgment?: string;
  readonly reviewers?: string;
  readonly disagrees?: true;
  readonly cost?: string;
  /** Tokens and cost are those of the source trial. */
  readonly isCopied?: true;
  readonly duration?: string;
  readonly tokens?: string;
  readonly started?: ClockTime;
}

/** Some rows of the table, and where they stand in it. */
export interface TrialChunk {
  readonly lines: readonly TrialLine[];
  readonly nBefore: number;
  readonly nMatching: number;
}

/** The rows of a page of the table. */
export function prepareTrialChunk(
  page: Pick<TrialsPanel, "rows" | "nBefore" | "nMatching">,
  groups: readonly Pick<JobGroup, "group" | "identity" | "setup">[],
): TrialChunk {
  const byKey = new Map(groups.map((group) => [group.group.key, group]));
  return {
    lines: page.rows.map((row) => {
      const part = byKey.get(row.setup?.key ?? "");
      return {
        ...prepareTrialLine(row, (part ?? byKey.get(row.groupKey))?.identity ?? 0),
        ...(part === undefined ? {} : prepareSetup(row, part)),
      };
    }),
    nBefore: page.nBefore,
    nMatching: page.nMatching,
  };
}

/** More of a message than this helps nobody in a tooltip; the trial's page has it whole. */
const MESSAGE_AT_MOST = 200;

/** What tells a trial from those of other settings, in a table of divided groups. */
function prepareSetup(
  { trial, setup }: TrialsRow,
  part: Pick<JobGroup, "setup">,
): Pick<TrialLine, "attempt" | "setup"> {
  return { attempt: setup?.attempt ?? trial.attempt, setup: formatSetup(part.setup ?? []) };
}

/** A trial's row as texts. What is unknown is left out; the table prints a dash for it. */
function prepareTrialLine(row: TrialsRow, identity: number): TrialLine {
  const { trial } = row;
  const { startedAt } = trial.time;
  return {
    key: trial.key,
    ...(trial.trialName === trial.key ? {} : { name: trial.trialName }),
    task: trial.taskName,
    attempt: trial.attempt,
    ...(trial.folder === "" ? { isGone: true } : {}),
    agent: trial.agent,
    ...(trial.model === null ? {} : { model: trial.model }),
    identity,
    outcome: trial.outcome,
    ...prepareReward(row),
    ...(row.filesDiffer === null ? {} : { filesDiffer: row.filesDiffer }),
    ...(row.suspicion === null ? {} : { suspect: describeSuspicion(row.suspicion) }),
    ...prepareException(row),
    ...prepareJudgment(row),
    ...(trial.tokens.costUsd === null ? {} : { cost: formatCost(trial.tokens.costUsd) }),
    ...(trial.sourceTrial === null ? {} : { isCopied: true }),
    ...(row.durationMs === null ? {} : { duration: formatDuration(row.durationMs) }),
    ...(row.nTokens === null ? {} : { tokens: formatCount(row.nTokens) }),
    ...(startedAt === null ? {} : { started: startedAt }),
  };
}

function prepareException({ trial }: TrialsRow): Pick<TrialLine, "exception" | "failedStep" | "message"> {
  const failure = selectFailure(trial);
  if (failure === null) return {};
  const { exception, stepName } = failure;
  const message = exception.message.slice(0, MESSAGE_AT_MOST);
  return {
    exception: exception.type,
    ...(stepName === null ? {} : { failedStep: stepName }),
    ...(message === "" ? {} : { message }),
  };
}

function prepareJudgment({ judgments }: TrialsRow): Pick<TrialLine, "judgment" | "reviewers" | "disagrees"> {
  if (judgments === null) return {};
  return {
    judgment: judgments.judgment === "mixed" ? "reviewers differ" : judgments.judgment,
    reviewers: judgments.latest.map((one) => `${one.reviewerId}: ${one.judgment}`).join(", "),
    ...(judgments.disagrees ? { disagrees: true } : {}),
  };
}

function prepareReward({
  reward,
  nRewardKeys,
  trial,
}: TrialsRow): Pick<TrialLine, "exact" | "shown" | "noReward"> {
  if (reward !== null) {
    const shown = formatFigure(reward.text);
    return shown === reward.text ? { exact: reward.text } : { exact: reward.text, shown };
  }
  if (nRewardKeys < 2) return trial.rewardsProblem === null ? {} : { noReward: ["", trial.rewardsProblem] };
  return {
    noReward: [`${nRewardKeys} keys`, trial.rewardsProblem ?? "Several reward keys: choose one"],
  };
}
