import { computeDurationMs } from "../domain/clock-time";
import type { JobRecord } from "../domain/job";
import { readCost } from "../domain/spending";
import type { SourceTrial, Trial } from "../domain/trial";
import { selectFailure } from "../domain/trial-failure";
import type { TrialFailure } from "../triage/classified";
import {
  type Fields,
  type ListColumn,
  listSorts,
  makeFields,
  type NestedName,
  SORT_WORDS,
  type SortName,
} from "./field";

/** A trial with what lists know of it. Without an index nothing is known of its steps, judgments and run sets. */
export interface ListedTrial {
  readonly job: Pick<JobRecord, "key" | "name" | "uuid">;
  readonly root: string | null;
  readonly trial: Trial;
  readonly failure: TrialFailure;
  /** Steps of its trajectory, and those with an error; null without one, and while it is not read. */
  readonly nSteps: number | null;
  readonly nErrors: number | null;
  readonly review: { readonly judgment: string; readonly disagrees: boolean } | null;
  readonly runSets: readonly string[];
}

const { text, flag, time, rewards, object, integer, real, json } = makeFields<ListedTrial>();
const CELL = { form: "cell" } as const;
const NESTED = { form: "nested" } as const;
const ALWAYS = { always: true } as const;

type KnownFailure = Extract<TrialFailure, { readonly state: "known" }>;

function known(description: string, read: (failure: KnownFailure) => string | null) {
  return text(description, ({ failure }) => (failure.state === "known" ? read(failure) : null), CELL);
}

function ofSource(description: string, read: (source: SourceTrial) => string | null | undefined) {
  return text(description, ({ trial }) => (trial.sourceTrial && read(trial.sourceTrial)) ?? null, CELL);
}

type Raised = NonNullable<ReturnType<typeof selectFailure>>;

function ofException(description: string, read: (raised: Raised) => string | null) {
  const readRaised = (raised: Raised | null) => (raised === null ? null : read(raised));
  return text(description, ({ trial }) => readRaised(selectFailure(trial)), CELL);
}

function phase(description: string, name: keyof Trial["phases"]) {
  return integer("ms", description, ({ trial }) => computeDurationMs(trial.phases[name]), CELL);
}

function tokens(description: string, name: keyof Trial["tokens"]) {
  return integer("tokens", description, ({ trial }) => trial.tokens[name], CELL);
}

const NAMES = {
  job_key: text("Key of the job in URLs, unique over all opened folders", ({ job }) => job.key, ALWAYS),
  job_name: text("Name of the job", ({ job }) => job.name, ALWAYS),
  job_id: text("UUID of the job", ({ job }) => job.uuid),
  root: text("Label of the opened folder", ({ root }) => root),
  folder: text("Folder of the trial below its root", ({ trial }) => trial.folder || null),
  key: text("Key of the trial in URLs, unique in its job", ({ trial }) => trial.key, ALWAYS),
  id: text("UUID in result.json", ({ trial }) => trial.id),
  config_job_id: text("UUID of the job that ran it, from its own config", ({ trial }) => trial.jobUuid),
  trial_name: text("Name of the trial", ({ trial }) => trial.trialName, ALWAYS),
  task_name: text("Name of the task", ({ trial }) => trial.taskName, ALWAYS),
  task_digest: text("Digest of the task's files", ({ trial }) => trial.taskDigest),
  source: text("Dataset; missing for an ad hoc task", ({ trial }) => trial.source),
  agent: text("Agent", ({ trial }) => trial.agent, ALWAYS),
  agent_version: text("Version of the agent", ({ trial }) => trial.agentVersion),
  model: text("Model without its provider", ({ trial }) => trial.model),
  provider: text("Provider of the model", ({ trial }) => trial.provider),
};

const SETTINGS = {
  agent_settings: object(
    "Agent settings from the config, as JSON",
    ({ trial: { settings } }) =>
      settings && Object.fromEntries(settings.map(({ name, value }) => [name, value])),
  ),
};

const GROUP = {
  evals_group: text("Harbor's key of agent, model and dataset", ({ trial }) => trial.groupKey, ALWAYS),
};

const LINEAGE = {
  kind: text(
    "run, or regrade: another trial's rollout re-verified, whose tokens and cost are copies",
    ({ trial }) => (trial.sourceTrial === null ? "run" : "regrade"),
    { always: true, values: ["run", "regrade"] },
  ),
  source_trial: json("The trial that a regrade took its rollout from; null for a run"),
  source_trial_id: ofSource("UUID of the trial that a regrade took its rollout from", ({ id }) => id),
  source_trial_name: ofSource("Folder of that trial", ({ trialName }) => trialName),
  source_job_name: ofSource("Folder of its job", ({ jobName }) => jobName),
  source_task_version: ofSource(
    "Version of the task, and so of the verifier, it was graded with",
    ({ sourceTask }) => sourceTask?.version,
  ),
  regrade_task_version: ofSource(
    "Version of the task the regrade was graded with",
    ({ ownTask }) => ownTask?.version,
  ),
};

const STATE = {
  attempt: integer(
    null,
    "Number of the attempt at the task within its group, from 1",
    ({ trial }) => trial.attempt,
    ALWAYS,
  ),
  state: text("finished, running, missing or unreadable", ({ trial }) => trial.state, {
    always: true,
    values: ["finished", "running", "missing", "unreadable"],
  }),
  outcome: text("Outcome of the trial, see lib/core/domain/trial.ts", ({ trial }) => trial.outcome, ALWAYS),
};

const COURSE = {
  rewards_problem: text("Why the rewards of result.json cannot be read", ({ trial }) => trial.rewardsProblem),
  reward_valid: text(
    "reward_valid as recorded since Harbor 0.26: valid, invalid or absent",
    ({ trial }) => trial.recordedValidity,
  ),
  reward_file: text(
    "File of the verifier that holds rewards",
    ({ trial: { rewardFile } }) => (rewardFile.kind === "absent" ? null : rewardFile.file),
    NESTED,
  ),
  reward_file_problem: text(
    "Why that file gives no reward",
    ({ trial: { rewardFile } }) => (rewardFile.kind === "error" ? rewardFile.message : null),
    CELL,
  ),
  exception: json("Exception of the trial; those of its steps are in `steps`"),
  exception_type: ofException(
    "Class of the exception of the trial, else of a step",
    (one) => one.exception.type,
  ),
  exception_message: ofException("Its message", ({ exception }) => exception.message),
  exception_step: ofException(
    "Step that raised it; empty when the trial records it",
    ({ stepName }) => stepName,
  ),
  exception_occurred_at: time(
    "When it was raised",
    ({ trial }) => selectFailure(trial)?.exception.occurredAt ?? null,
    CELL,
  ),
  failure: json("Why the trial did not pass; null unless `failure_state` is known"),
  failure_state: text(
    "none: it did not fail; known; pending: it failed and is not classified yet",
    ({ failure }) => failure.state,
    { always: true, values: ["none", "known", "pending"] },
  ),
  failure_class: known("Why it did not pass, see docs/rules.md", ({ failureClass }) => failureClass),
  failure_owner: known("Who can fix failures of this class", ({ owner }) => owner),
  failure_rule: known("Rule that matched; missing if none did", ({ rule }) => rule),
  failure_evidence: known("The first text that shows it", ({ evidence }) => evidence[0]?.text ?? null),
  started_at: time("Start of the trial", ({ trial }) => trial.time.startedAt),
  finished_at: time("End of the trial", ({ trial }) => trial.time.finishedAt),
  duration_ms: integer("ms", "Start to end of the trial", ({ trial }) => computeDurationMs(trial.time)),
  phases: json("Start, end and duration of each phase"),
  environment_setup_ms: phase("Setting up the environment", "environmentSetup"),
  agent_setup_ms: phase("Setting up the agent", "agentSetup"),
  agent_execution_ms: phase("The agent's run", "agentExecution"),
  verifier_ms: phase("The verifier's run", "verifier"),
  tokens: json("Tokens and cost as the agent reports them"),
  n_input_tokens: tokens(
    "Input tokens as the agent reports them, cached ones included by Harbor's definition",
    "inputTokens",
  ),
  n_cache_tokens: tokens("Cached input tokens", "cacheTokens"),
  n_output_tokens: tokens("Output tokens", "outputTokens"),
  cost_usd: real(
    "USD",
    "Cost as the agent reports it; 0 with tokens is unknown",
    ({ trial }) => readCost(trial),
    CELL,
  ),
  simulated_user: json("Simulated user, with its tokens and cost"),
  simulated_user_cost_usd: real(
    "USD",
    "Cost of the simulated user, not part of the agent's cost",
    ({ trial }) => trial.simulatedUser && readCost(trial.simulatedUser),
    CELL,
  ),
};

const STEPS = {
  steps: json("Steps of a multi-step trial; null for a single-step one"),
  n_steps: integer(
    null,
    "Steps of a multi-step trial; missing for a single-step one",
    ({ trial }) => trial.steps?.length ?? null,
    CELL,
  ),
};

const REWARDS = {
  rewards: rewards("All rewards of result.json as Python's JSON", ({ trial }) => trial.rewards),
  reward_file_rewards: rewards(
    "All rewards of the verifier's file as Python's JSON",
    ({ trial: { rewardFile } }) => (rewardFile.kind === "read" ? rewardFile.rewards : null),
    CELL,
  ),
};

/** Fields that need an index. */
export const INDEXED_TRIAL_FIELDS = {
  n_trajectory_steps: integer(
    null,
    "Steps of its trajectory; missing without a trajectory and until it is read",
    ({ nSteps }) => nSteps,
  ),
  n_trajectory_errors: integer(null, "Steps of its trajectory with an error", ({ nErrors }) => nErrors),
  judgment: text(
    "Verdict of all reviewers (pass, fail, defer), or mixed; missing without a review",
    ({ review }) => review?.judgment ?? null,
  ),
  disagrees: flag(
    "True if a reviewer contradicts the scored outcome; missing without a review",
    ({ review }) => review?.disagrees ?? null,
  ),
  run_sets: {
    type: "texts",
    unit: null,
    always: true,
    description: "Saved run sets that count it with trials of other jobs, by name",
    read: ({ runSets }: ListedTrial) => runSets,
  },
} as const satisfies Fields<ListedTrial>;

/** Fields of the JSON document `assay.trials/2`, in its order. */
export const TRIAL_FIELDS = {
  ...NAMES,
  ...GROUP,
  ...STATE,
  ...REWARDS,
  ...COURSE,
  ...SETTINGS,
  ...STEPS,
  ...LINEAGE,
} satisfies Fields<ListedTrial>;

/** The same in the order of CSV and Parquet, those that need an index and rewards last. */
export const TRIAL_CELLS: Fields<ListedTrial> = {
  ...NAMES,
  ...SETTINGS,
  ...GROUP,
  ...LINEAGE,
  ...STATE,
  ...COURSE,
  ...STEPS,
};
export const TRIAL_REWARD_CELLS: Fields<ListedTrial> = REWARDS;

export type NestedTrialField = NestedName<typeof TRIAL_FIELDS>;

const NAME = { sort: SORT_WORDS.names, ascends: true } as const;
const AMOUNT = { numeric: true, sort: SORT_WORDS.amounts, inAllJobs: "early" } as const;
const STEP_COUNT = { ...AMOUNT, room: "minor", startsHidden: true } as const;

/** Columns of the table of trials. `inAllJobs`: only in the list of all jobs, or `early` in it and always shown. */
export const TRIAL_COLUMNS = {
  task: {
    ...NAME,
    heading: "Task and attempt",
    isFixed: true,
    className: "name",
    field: "task_name",
    phone: "first",
  },
  agent: { ...NAME, heading: "Agent and model", field: "agent", phone: "second" },
  job: { heading: "Job", className: "muted", field: "job_name", room: "minor", inAllJobs: "only" },
  outcome: { ...NAME, heading: "Outcome", field: "outcome", phone: "side" },
  cause: { heading: "Cause", title: "Why it did not pass", field: "failure_class", phone: "second" },
  reward: { heading: "Reward", numeric: true, sort: SORT_WORDS.amounts, field: "rewards", phone: "score" },
  exception: { ...NAME, heading: "Exception", field: "exception_type", phone: "second" },
  judgment: { heading: "Judgment", field: "judgment", phone: "second" },
  cost: { ...AMOUNT, heading: "Cost, $", room: "minor", field: "cost_usd" },
  duration: { ...AMOUNT, heading: "Duration", sort: SORT_WORDS.lengths, field: "duration_ms", phone: "end" },
  tokens: { ...AMOUNT, heading: "Tokens", room: "minor", field: "n_input_tokens" },
  steps: { ...STEP_COUNT, heading: "Steps", field: "n_trajectory_steps" },
  errors: { ...STEP_COUNT, heading: "Errors", title: "Steps with an error", field: "n_trajectory_errors" },
  started: {
    heading: "Started",
    numeric: true,
    className: "muted",
    room: "minor",
    sort: SORT_WORDS.times,
    ascends: true,
    field: "started_at",
  },
} as const satisfies Readonly<
  Record<
    string,
    ListColumn & {
      readonly field: keyof typeof TRIAL_FIELDS | keyof typeof INDEXED_TRIAL_FIELDS;
      readonly inAllJobs?: "only" | "early";
    }
  >
>;

export type TrialColumn = keyof typeof TRIAL_COLUMNS;

export type TrialSort = SortName<typeof TRIAL_COLUMNS>;

export const TRIAL_SORTS = listSorts(TRIAL_COLUMNS, "task");
