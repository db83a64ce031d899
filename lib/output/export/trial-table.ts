import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { readCost } from "@/lib/core/domain/spending";
import { type RewardFileReading, type TrialRecord } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import { dumpPythonJson, type RewardDict } from "@/lib/core/scoring";

import { type ExportColumn, type ExportTable, flag, integer, real, text, time } from "./table";
import { type ExportedTrial, prepareTrial } from "./trial-json";

export interface ListedTrial extends ExportedTrial {
  /** Steps of its trajectory, and those with an error; null without one, and while it is not read. */
  readonly nSteps: number | null;
  readonly nErrors: number | null;
  readonly review: { readonly judgment: string; readonly disagrees: boolean } | null;
  readonly runSets: readonly string[];
}

type Column = ExportColumn<ExportedTrial>;
type KnownFailure = Extract<ExportedTrial["failure"], { readonly state: "known" }>;

function known(name: string, description: string, read: (failure: KnownFailure) => string | null): Column {
  return text(name, description, ({ failure }) => (failure.state === "known" ? read(failure) : null));
}

/** Reward keys with their own columns; `rewards` and `reward_file_rewards` hold them all. */
const MOST_REWARD_KEYS = 100;

const INPUT_TOKENS = "Input tokens as the agent reports them, cached ones included by Harbor's definition";

function ms(name: string, description: string, read: (trial: TrialRecord) => number | null): Column {
  return integer(name, "ms", description, ({ trial }) => read(trial));
}

function tokens(name: string, description: string, read: (trial: TrialRecord) => number | null): Column {
  return integer(name, "tokens", description, ({ trial }) => read(trial));
}

const NAMES: readonly Column[] = [
  text("job_key", "Key of the job in addresses, unique over all opened folders", ({ job }) => job.key),
  text("job_name", "Name of the job", ({ job }) => job.name),
  text("job_id", "UUID of the job", ({ job }) => job.uuid),
  text("root", "Label of the opened folder", ({ root }) => root),
  text("folder", "Folder of the trial below its root", ({ trial }) => emptyToNull(trial.folder)),
  text("key", "Key of the trial in addresses, unique in its job", ({ trial }) => trial.key),
  text("id", "UUID in result.json", ({ trial }) => trial.id),
  text("config_job_id", "UUID of the job that ran it, by its own config", ({ trial }) => trial.jobUuid),
  text("trial_name", "Name of the trial", ({ trial }) => trial.trialName),
  text("task_name", "Name of the task", ({ trial }) => trial.taskName),
  text("task_digest", "Digest of the task's files", ({ trial }) => trial.taskDigest),
  text("source", "Dataset; missing for an ad hoc task", ({ trial }) => trial.source),
  text("agent", "Agent", ({ trial }) => trial.agent),
  text("agent_version", "Version of the agent", ({ trial }) => trial.agentVersion),
  text("model", "Model without its provider", ({ trial }) => trial.model),
  text("provider", "Provider of the model", ({ trial }) => trial.provider),
  text("agent_settings", "What the config sets of the agent, as JSON", ({ trial }) =>
    trial.settings === null
      ? null
      : JSON.stringify(Object.fromEntries(trial.settings.map(({ name, value }) => [name, value]))),
  ),
  text("evals_group", "Harbor's key of agent, model and dataset", ({ trial }) => trial.groupKey),
];

const LINEAGE: readonly Column[] = [
  text(
    "kind",
    "run, or regrade: another trial's rollout re-verified, whose tokens and cost are copies",
    ({ trial }) => (trial.sourceTrial === null ? "run" : "regrade"),
  ),
  text(
    "source_trial_id",
    "UUID of the trial that a regrade took its rollout from",
    ({ trial }) => trial.sourceTrial?.id ?? null,
  ),
  text("source_trial_name", "Folder of that trial", ({ trial }) => trial.sourceTrial?.trialName ?? null),
  text("source_job_name", "Folder of its job", ({ trial }) => trial.sourceTrial?.jobName ?? null),
  text(
    "source_task_version",
    "Version of the task, and so of the verifier, it was graded with",
    ({ trial }) => trial.sourceTrial?.sourceTask?.version ?? null,
  ),
  text(
    "regrade_task_version",
    "Version of the task the regrade was graded with",
    ({ trial }) => trial.sourceTrial?.ownTask?.version ?? null,
  ),
];

const COURSE: readonly Column[] = [
  integer(
    "attempt",
    null,
    "Place among the attempts at the task by the same group, from 1",
    ({ trial }) => trial.attempt,
  ),
  text("state", "finished, running, missing or unreadable", ({ trial }) => trial.state),
  text("outcome", "What became of the trial, see lib/core/domain/trial.ts", ({ trial }) => trial.outcome),
  text(
    "rewards_problem",
    "Why the rewards of result.json cannot be read",
    ({ trial }) => trial.rewardsProblem,
  ),
  text(
    "reward_valid",
    "reward_valid as recorded since Harbor 0.26: valid, invalid or absent",
    ({ trial }) => trial.recordedValidity,
  ),
  text("reward_file", "File of the verifier that holds rewards", ({ trial: { rewardFile } }) =>
    rewardFile.kind === "absent" ? null : rewardFile.file,
  ),
  text("reward_file_problem", "Why that file gives no reward", ({ trial: { rewardFile } }) =>
    rewardFile.kind === "error" ? rewardFile.message : null,
  ),
  text(
    "exception_type",
    "Class of the exception of the trial, else of a step",
    ({ trial }) => selectFailure(trial)?.exception.type ?? null,
  ),
  text("exception_message", "Its message", ({ trial }) => selectFailure(trial)?.exception.message ?? null),
  text(
    "exception_step",
    "Step that raised it; empty when the trial records it",
    ({ trial }) => selectFailure(trial)?.stepName ?? null,
  ),
  time(
    "exception_occurred_at",
    "When it was raised",
    ({ trial }) => selectFailure(trial)?.exception.occurredAt ?? null,
  ),
  text(
    "failure_state",
    "none: it did not fail; known; pending: it failed and is not classified yet",
    ({ failure }) => failure.state,
  ),
  known("failure_class", "Why it did not pass, see docs/rules.md", ({ failureClass }) => failureClass),
  known("failure_owner", "Who can fix failures of this class", ({ owner }) => owner),
  known("failure_rule", "Rule that fitted; missing where none did", ({ rule }) => rule),
  known("failure_evidence", "The first text that shows it", ({ evidence }) => evidence[0]?.text ?? null),
  time("started_at", "Start of the trial", ({ trial }) => trial.time.startedAt),
  time("finished_at", "End of the trial", ({ trial }) => trial.time.finishedAt),
  ms("duration_ms", "Start to end of the trial", (trial) => computeDurationMs(trial.time)),
  ms("environment_setup_ms", "Setting up the environment", ({ phases }) =>
    computeDurationMs(phases.environmentSetup),
  ),
  ms("agent_setup_ms", "Setting up the agent", ({ phases }) => computeDurationMs(phases.agentSetup)),
  ms("agent_execution_ms", "The agent's run", ({ phases }) => computeDurationMs(phases.agentExecution)),
  ms("verifier_ms", "The verifier's run", ({ phases }) => computeDurationMs(phases.verifier)),
  tokens("n_input_tokens", INPUT_TOKENS, (trial) => trial.tokens.inputTokens),
  tokens("n_cache_tokens", "Cached input tokens", (trial) => trial.tokens.cacheTokens),
  tokens("n_output_tokens", "Output tokens", (trial) => trial.tokens.outputTokens),
  real("cost_usd", "USD", "Cost as the agent reports it; 0 with tokens is unknown", ({ trial }) =>
    readCost(trial),
  ),
  real(
    "simulated_user_cost_usd",
    "USD",
    "Cost of the program that played the user, which is not the agent's",
    ({ trial }) => trial.simulatedUser && readCost(trial.simulatedUser),
  ),
  integer(
    "n_steps",
    null,
    "Steps of a multi-step trial; missing for a single-step one",
    ({ trial }) => trial.steps?.length ?? null,
  ),
];

const LISTED: readonly ExportColumn<ListedTrial>[] = [
  integer(
    "n_trajectory_steps",
    null,
    "Steps of its trajectory; missing without one, and while it is not read",
    ({ nSteps }) => nSteps,
  ),
  integer("n_trajectory_errors", null, "Those of them with an error", ({ nErrors }) => nErrors),
  text(
    "judgment",
    "What all reviewers say (pass, fail, defer), or mixed; missing when nobody reviewed the trial",
    ({ review }) => review?.judgment ?? null,
  ),
  flag(
    "disagrees",
    "Whether a reviewer contradicts the scored outcome; missing when nobody reviewed the trial",
    ({ review }) => review?.disagrees ?? null,
  ),
  text("run_sets", "Saved run sets that count it with trials of other jobs, by name", ({ runSets }) =>
    runSets.length === 0 ? null : runSets.join("; "),
  ),
];

const REWARDS: readonly Column[] = [
  text("rewards", "All rewards of result.json as Python's JSON", ({ trial }) => dumpRewards(trial.rewards)),
  text("reward_file_rewards", "All rewards of the verifier's file as Python's JSON", ({ trial }) =>
    dumpRewards(getFileRewards(trial.rewardFile)),
  ),
];

/** One trial per row; the first 100 of `rewardKeys` get columns. */
export function makeTrialTable(rewardKeys: readonly string[]): ExportTable<ExportedTrial> {
  return {
    schema: "assay.trials/2",
    list: "trials",
    columns: [...NAMES, ...LINEAGE, ...COURSE, ...REWARDS, ...listRewardColumns(rewardKeys)],
    prepareJson: prepareTrial,
  };
}

export function makeListedTrialTable(rewardKeys: readonly string[]): ExportTable<ListedTrial> {
  return {
    schema: "assay.trials/2",
    list: "trials",
    columns: [...NAMES, ...LINEAGE, ...COURSE, ...LISTED, ...REWARDS, ...listRewardColumns(rewardKeys)],
    prepareJson: (row) => ({
      ...prepareTrial(row),
      n_trajectory_steps: row.nSteps,
      n_trajectory_errors: row.nErrors,
      judgment: row.review?.judgment ?? null,
      disagrees: row.review?.disagrees ?? null,
      run_sets: row.runSets,
    }),
  };
}

function listRewardColumns(keys: readonly string[]): Column[] {
  return keys.slice(0, MOST_REWARD_KEYS).flatMap((key): Column[] => [
    {
      name: `reward:${key}`,
      textName: `reward_text:${key}`,
      type: "exact",
      unit: "reward",
      description: `Reward ${key} of result.json`,
      read: ({ trial }) => trial.rewards?.get(key) ?? null,
    },
    {
      name: `reward_file:${key}`,
      textName: `reward_file_text:${key}`,
      type: "exact",
      unit: "reward",
      description: `Reward ${key} of the verifier's file`,
      read: ({ trial }) => getFileRewards(trial.rewardFile)?.get(key) ?? null,
    },
  ]);
}

function getFileRewards(reading: RewardFileReading): RewardDict | null {
  return reading.kind === "read" ? reading.rewards : null;
}

function dumpRewards(rewards: RewardDict | null): string | null {
  return rewards === null ? null : dumpPythonJson(rewards);
}

function emptyToNull(folder: string): string | null {
  return folder === "" ? null : folder;
}
