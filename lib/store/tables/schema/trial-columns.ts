import { computeDurationMs } from "@/lib/core/domain/clock-time";
import type { ExceptionCause } from "@/lib/core/domain/exception-cause";
import { readCost } from "@/lib/core/domain/spending";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { sumTokens, type Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { TrialSort } from "@/lib/core/fields/trials.fields";
import { readReward } from "@/lib/core/verification";

import { type Column, integer, orNull, real, text } from "./table";

/** Exception messages are searched and grouped by their beginning; the record has the whole text. */
const MESSAGE_CHARS = 1000;

type Read<Value> = (trial: Trial, shared: ReturnType<typeof prepareShared>) => Value;

interface TrialColumn<Value> extends Column<Value> {
  readonly read: Read<Value>;
}

/** Needed by several columns of a trial. */
function prepareShared(trial: Trial) {
  return { failure: selectFailure(trial), headline: readReward(trial.rewards) };
}

function column<Value>(type: Column<Value>, read: Read<Value>): TrialColumn<Value> {
  return { ...type, read };
}

/** Columns of `trials` that follow from the trial alone, with what they hold of it. */
export const TRIAL_ROW_COLUMNS = {
  key: column(text(), ({ key }) => key),
  uuid: column(orNull(text()), ({ id }) => id),
  runUuid: column(orNull(text()), ({ jobUuid }) => jobUuid),
  trialName: column(text(), ({ trialName }) => trialName),
  taskName: column(text(), ({ taskName }) => taskName),
  family: column(text(), ({ taskName }) => findTaskFamily(taskName)),
  groupKey: column(text(), ({ groupKey }) => groupKey),
  agent: column(text(), ({ agent }) => agent),
  agentVersion: column(orNull(text()), ({ agentVersion }) => agentVersion),
  model: column(orNull(text()), ({ model }) => model),
  attempt: column(integer(), ({ attempt }) => attempt),
  state: column(text<Trial["state"]>(), ({ state }) => state),
  outcome: column(text<Trial["outcome"]>(), ({ outcome }) => outcome),
  hasFolder: column(integer(), ({ folder }) => Number(folder !== "")),
  rewardKey: column(orNull(text()), (_, { headline }) => headline?.key ?? null),
  /** Headline reward; null when there is none and for NaN. */
  reward: column(orNull(real()), (_, { headline }) => headline && Number(headline.value)),
  rewardText: column(orNull(text()), (_, { headline }) => headline?.text ?? null),
  nRewardKeys: column(integer(), ({ rewards }) => rewards?.size ?? 0),
  /** 1 if Harbor 0.26 counts its rewards, whichever version wrote its job. */
  rewardValid: column(integer(), ({ isRewardValid }) => Number(isRewardValid)),
  /** Exception of the trial, else of one of its steps, see `selectFailure` of lib/core/domain. */
  exceptionType: column(orNull(text()), (_, { failure }) => failure?.exception.type ?? null),
  exceptionMessage: column(
    orNull(text()),
    (_, { failure }) => failure?.exception.message.slice(0, MESSAGE_CHARS) ?? null,
  ),
  exceptionCause: column(orNull(text<ExceptionCause>()), (_, { failure }) => failure?.cause ?? null),
  exceptionStep: column(orNull(text()), (_, { failure }) => failure?.stepName ?? null),
  costUsd: column(orNull(real()), readCost),
  nTokens: column(orNull(real()), ({ tokens }) => sumTokens(tokens)),
  durationMs: column(orNull(real()), ({ time }) => computeDurationMs(time)),
  startedMs: column(orNull(real()), ({ time }) => time.startedAt?.epochMs ?? null),
  taskDigest: column(orNull(text()), ({ taskDigest }) => taskDigest),
  resultDigest: column(orNull(text()), ({ resultDigest }) => resultDigest),
  search: column(text(), ({ taskName, trialName }, { failure }) =>
    `${taskName}\n${trialName}\n${failure?.exception.type ?? ""}`.toLowerCase(),
  ),
} as const;

type TrialValues = {
  readonly [Name in keyof typeof TRIAL_ROW_COLUMNS]: ReturnType<(typeof TRIAL_ROW_COLUMNS)[Name]["read"]>;
};

const COLUMNS = Object.entries(TRIAL_ROW_COLUMNS);

export function readTrialColumns(trial: Trial): TrialValues {
  const shared = prepareShared(trial);
  const values: Record<string, unknown> = {};
  for (const [name, { read }] of COLUMNS) values[name] = read(trial, shared);
  return values as TrialValues; // Each of its keys.
}

/** Sort keys: columns of `trials`, and values that `selectAllTrials` computes. */
export const TRIAL_ORDERS: Readonly<Record<TrialSort, readonly string[]>> = {
  task: ["trials.taskPosition", "trials.groupKey", "trials.attempt"],
  agent: ["trials.groupKey"],
  outcome: ["trials.outcome"],
  exception: ["trials.exceptionType"],
  reward: ["shownReward"],
  cost: ["trials.costUsd"],
  duration: ["trials.durationMs"],
  tokens: ["trials.nTokens"],
  steps: ["nSteps"],
  errors: ["nErrors"],
  started: ["trials.startedMs"],
};
