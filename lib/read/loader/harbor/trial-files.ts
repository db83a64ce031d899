import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { markConfigured } from "@/lib/core/domain/model-name";
import {
  BARE_STEP,
  BARE_TRIAL,
  NO_TOKENS,
  type SimulatedUser,
  type StepRecord,
  type TokenUsage,
  type Trial,
  type TrialException,
  type TrialFiles,
  type TrialState,
  type SourceTrial,
  type TaskVersion,
} from "@/lib/core/domain/trial";
import { trimEndOf } from "@/lib/core/domain/trim-end";
import { computeTrialUsage, type PyValue } from "@/lib/core/scoring";
import { parseClockTime, parseInterval } from "@/lib/read/schema/clock-time";
import { readAgentSettings, readEnvironment } from "@/lib/read/schema/environment";
import { parsePolicy, parsePolicyOverride } from "@/lib/read/schema/error-policy";
import { parseTrialLock, type TaskLockFile } from "@/lib/read/schema/job-files";
import { readTargetUsage } from "@/lib/read/schema/target-usage";
import {
  type AgentResultFile,
  type ExceptionFile,
  parseStepResult,
  type TrialConfigFile,
  type TrialResultFile,
} from "@/lib/read/schema/trial-files";

import { FILE_LIMITS } from "../file-access";
import type { FolderReader } from "../folder-reader";
import { computeShortHash } from "../hashes";
import { checkRewards, type RewardFolder } from "./read-rewards";

export interface TrialReading {
  readonly record: TrialFiles;
  readonly issues: readonly LoadIssue[];
  readonly probes: readonly string[];
  /** Task and agent names in the config, before a run converts them to result names. */
  readonly configured: ReturnType<typeof describeConfigured>;
  /** Taken before reading, so that concurrent changes are noticed. */
  readonly stamp: string;
}

export type Report = (code: "rewards_invalid" | "field_invalid", detail: string) => void;

export type TrialFolder = Pick<Trial, "folder"> & Partial<RewardFolder>;

/** Converts a result.json. `exact` is the exact tree of the same document. */
export function prepareFiles(
  place: TrialFolder,
  result: TrialResultFile,
  exact: ReadonlyMap<string, PyValue>,
  report: Report,
): TrialFiles {
  const { config = null, id = null, source = null, task_checksum: taskDigest = null } = result;
  const rewards = readRewards(exact.get("verifier_result"), "verifier_result", report);
  const steps = prepareSteps(exact.get("step_results"), config, report);
  return {
    ...prepareBareFiles(place, config, "finished", result.trial_name),
    id,
    trialName: result.trial_name,
    taskName: result.task_name ?? guessTaskName(config) ?? result.trial_name,
    taskDigest,
    source,
    ...prepareAgent(result),
    rewards: rewards.rewards,
    rewardsProblem: rewards.problem,
    recordedValidity: readValidity(result),
    exception: prepareException(result.exception_info, config),
    time: parseInterval(result) ?? BARE_TRIAL.time,
    phases: {
      environmentSetup: parseInterval(result.environment_setup),
      agentSetup: parseInterval(result.agent_setup),
      agentExecution: parseInterval(result.agent_execution),
      verifier: parseInterval(result.verifier),
    },
    ...prepareUsage(result, steps),
    steps,
  };
}

function prepareAgent({ agent_info: info, config }: TrialResultFile) {
  const configured = splitModelName(config?.agent?.model_name);
  return {
    agent: info?.name ?? guessAgent(config ?? null),
    agentVersion: info?.version?.toString() ?? null,
    ...prepareModel(info ? (info.model_info ?? null) : configured, configured),
  };
}

type ModelNames = NonNullable<NonNullable<TrialResultFile["agent_info"]>["model_info"]>;

function prepareModel(recorded: ModelNames | null, { name, provider }: ModelNames) {
  return {
    model: recorded?.name ?? ((name && markConfigured(name)) || null),
    recordedModel: recorded?.name ?? null,
    provider: (recorded ? recorded.provider : provider) ?? null,
  };
}

export function prepareBareFiles(
  place: TrialFolder,
  config: TrialConfigFile | null,
  state: TrialState,
  name: string,
): TrialFiles {
  const { job_id: jobUuid = null, trial_name: stated, task, agent = null } = config ?? {};
  const model = splitModelName(agent?.model_name);
  const trialName = stated ?? name;
  return {
    ...BARE_TRIAL,
    ...place,
    jobUuid,
    trialName,
    taskName: guessTaskName(config) ?? trialName,
    source: task?.source ?? null,
    agent: guessAgent(config),
    ...prepareModel(model, model),
    state,
    simulatedUser: prepareSimulatedUser(config, NO_TOKENS),
    settings: agent && readAgentSettings(agent, computeShortHash),
    environment: config && readEnvironment(config, computeShortHash),
    sourceTrial: prepareSourceTrial(config),
  };
}

/** With a simulated user, Harbor records the user's usage, not the agent's. */
function prepareUsage(
  { agent_result: usage, config }: TrialResultFile,
  steps: readonly StepRecord[] | null,
): Pick<TrialFiles, "tokens" | "simulatedUser"> {
  const recorded = computeTrialUsage({
    usage: usage ? prepareTokens(usage) : null,
    stepUsages: steps?.map((step) => step.tokens) ?? [],
  });
  const simulatedUser = prepareSimulatedUser(config ?? null, recorded);
  return { tokens: simulatedUser === null ? recorded : readTargetUsage(usage?.metadata), simulatedUser };
}

function prepareSimulatedUser(config: TrialConfigFile | null, tokens: TokenUsage): SimulatedUser | null {
  const user = config?.user_agent;
  if (!user) return null;
  return {
    agent: user.name?.toString() ?? user.import_path ?? null,
    model: user.model_name ?? null,
    tokens,
  };
}

export function describeConfigured(config: TrialConfigFile | null) {
  return {
    taskPath: config?.task?.path ?? null,
    taskName: config?.task?.name ?? null,
    agent: config === null ? null : describeAgent(config.agent),
  };
}

export function describeAgent(agent: TrialConfigFile["user_agent"]): string {
  return JSON.stringify([agent?.name ?? null, agent?.import_path ?? null, agent?.model_name ?? null]);
}

/** Splits `provider/model` at the first slash, as Harbor does. */
export function splitModelName(modelName: string | null | undefined) {
  if (!modelName) return { provider: null, name: null };
  const at = modelName.indexOf("/");
  return { provider: at === -1 ? null : modelName.slice(0, at), name: modelName.slice(at + 1) };
}

function guessTaskName(config: TrialConfigFile | null): string | null {
  const path = trimEndOf(config?.task?.path ?? "", "/\\");
  const base = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return config?.task?.name ?? (base && base !== "." ? base : null);
}

/** Without an agent in a readable config, Harbor runs its default, the oracle. */
function guessAgent(config: TrialConfigFile | null): string {
  const name = config?.agent?.name?.toString() ?? config?.agent?.import_path;
  return name ?? (config?.task ? "oracle" : "unknown");
}

function prepareException(info: ExceptionFile, config: TrialConfigFile | null): TrialException | null {
  if (!info) return null;
  return {
    type: info.exception_type,
    message: info.exception_message ?? "",
    traceback: info.exception_traceback ?? null,
    occurredAt: parseClockTime(info.occurred_at),
    policyOverride: parsePolicyOverride(info.policy_override),
    configuredOverride: parsePolicyOverride(config?.override_error_policy?.[info.exception_type]),
    recordedPolicy: parsePolicy(info.policy),
  };
}

/** Only Harbor since 0.26 versions its files. The result has a copy of the config. */
function readValidity({ schema_version, reward_valid, config }: TrialResultFile) {
  if (reward_valid === null || reward_valid === undefined)
    return (schema_version ?? config?.schema_version) == null ? null : "absent";
  return reward_valid ? "valid" : "invalid";
}

function prepareTokens(result: AgentResultFile): TokenUsage {
  if (!result) return NO_TOKENS;
  return {
    inputTokens: result.n_input_tokens ?? null,
    cacheTokens: result.n_cache_tokens ?? null,
    outputTokens: result.n_output_tokens ?? null,
    costUsd: result.cost_usd ?? null,
  };
}

function prepareSteps(
  list: PyValue | undefined,
  config: TrialConfigFile | null,
  report: Report,
): StepRecord[] | null {
  if (list === undefined || list === null) return null;
  if (!Array.isArray(list)) {
    report("field_invalid", "step_results: a list was expected");
    return null;
  }
  return list.flatMap((exact, index) => {
    const field = `step_results.${index}`;
    const { value: step, problems } = parseStepResult(exact);
    for (const problem of problems) report("field_invalid", `${field}.${problem.field}: ${problem.detail}`);
    if (step === null || !(exact instanceof Map)) return [];
    const verifierResult = exact.get("verifier_result") ?? null;
    return [
      {
        ...BARE_STEP,
        stepName: step.step_name,
        hasVerifierResult: verifierResult !== null,
        rewards: readRewards(verifierResult, `${field}.verifier_result`, report).rewards,
        exception: prepareException(step.exception_info, config),
        agentExecution: parseInterval(step.agent_execution),
        verifier: parseInterval(step.verifier),
        tokens: prepareTokens(step.agent_result),
      },
    ];
  });
}

function readRewards(verifierResult: PyValue | undefined, field: string, report: Report) {
  if (verifierResult === undefined || verifierResult === null) return { rewards: null, problem: null };
  const checked: ReturnType<typeof checkRewards> =
    verifierResult instanceof Map
      ? checkRewards(verifierResult.get("rewards") ?? null)
      : { ok: false, problem: "The verifier's result is not an object." };
  if (checked.ok) return { rewards: checked.rewards, problem: null };
  report("rewards_invalid", `${field}: ${checked.problem}`);
  return { rewards: null, problem: checked.problem };
}

/** Splits a recorded path, outermost part first. The path is never opened. */
export function splitRecordedPath(path: string | null | undefined): readonly string[] {
  return path?.split(/[/\\]+/).filter((part) => part !== "") ?? [];
}

export function prepareTaskVersion(task: TaskLockFile): TaskVersion | null {
  if (!task) return null;
  return { version: task.version ?? null, digest: task.digest?.replace(/^sha256:/, "") ?? null };
}

function prepareSourceTrial(config: TrialConfigFile | null): SourceTrial | null {
  const source = config?.source_trial;
  if (!source) return null;
  const [trialName = null, jobName = null] = splitRecordedPath(source.path).toReversed();
  return {
    id: source.trial_id ?? null,
    jobName,
    trialName,
    isFromHub: source.type === "hub",
    sourceTask: null,
    ownTask: null,
  };
}

export function completeSourceTrial(folder: FolderReader, files: TrialFiles): TrialFiles {
  if (files.sourceTrial === null) return files;
  const lock = folder.readFields("lock.json", FILE_LIMITS.config, parseTrialLock);
  const ownTask = prepareTaskVersion(lock?.task);
  const sourceTask = prepareTaskVersion(lock?.source_trial?.task);
  return { ...files, sourceTrial: { ...files.sourceTrial, ownTask, sourceTask } };
}
