import type { Json } from "./json-text";
import type { AgentSpec, DatasetSpec, Flavour, JobRecord, TrialRecord } from "./record";

/** An object of a config. */
export type Fields = Record<string, Json>;

const NO_RETRY = [
  "AgentTimeoutError",
  "RewardFileNotFoundError",
  "VerifierTimeoutError",
  "RewardFileEmptyError",
  "VerifierOutputParseError",
];
const NO_RETRY_022 = [
  "AgentAuthenticationError",
  "AgentSafetyRefusalError",
  "ApiUsageLimitError",
  "ModelNotFoundError",
  ...NO_RETRY,
];

/** Directory of a job as the runner recorded it: an invented machine. */
export function formatJobDir(job: JobRecord): string {
  return `jobs/${job.name}`;
}

/** `provider/model`, or null for agents without a model. */
function formatModelName(agent: AgentSpec): string | null {
  if (agent.model === null) return null;
  return agent.provider === null ? agent.model : `${agent.provider}/${agent.model}`;
}

/** A task of a config. */
export function taskFields(dataset: DatasetSpec, task: string): Fields {
  const path = dataset.gitUrl === null ? `datasets/${dataset.name ?? "local"}/${task}` : task;
  return {
    path,
    git_url: dataset.gitUrl,
    git_commit_id: dataset.commit,
    name: null,
    ref: null,
    overwrite: false,
    download_dir: null,
    source: dataset.name,
  };
}

/** An agent of a config, as its Harbor writes one. */
export function agentFields(flavour: Flavour, agent: AgentSpec): Fields {
  const head: Fields = { name: agent.name, import_path: null, model_name: formatModelName(agent) };
  const limits: Fields = {
    override_timeout_sec: null,
    override_setup_timeout_sec: null,
    max_timeout_sec: null,
  };
  if (flavour === "legacy") return { ...head, override_timeout_sec: null, max_timeout_sec: null, kwargs: {} };
  if (flavour === "0.13.1")
    return { ...head, skills: [], ...limits, extra_allowed_hosts: [], kwargs: {}, env: {}, mcp_servers: [] };
  return {
    ...head,
    n_concurrent: null,
    concurrency_group: null,
    skills: [],
    ...limits,
    resume_trajectory: false,
    load_trajectory: null,
    extra_allowed_hosts: [],
    kwargs: {},
    mcp_servers: [],
  };
}

/** The environment of a config. */
export function environmentFields(flavour: Flavour): Fields {
  const head: Fields = { type: "docker", import_path: null, force_build: false, delete: true };
  const overrides: Fields = { override_cpus: null, override_memory_mb: null, override_storage_mb: null };
  if (flavour === "legacy")
    return { type: "docker", force_build: false, delete: true, ...overrides, kwargs: {} };
  return {
    ...head,
    cpu_enforcement_policy: "auto",
    memory_enforcement_policy: "auto",
    ...overrides,
    override_gpus: null,
    override_tpu: null,
    mounts: null,
    extra_docker_compose: [],
    ...(flavour === "0.13.1" ? { env: {} } : {}),
    kwargs: {},
    extra_allowed_hosts: [],
  };
}

/** The verifier of a config. */
export function verifierFields(flavour: Flavour): Fields {
  const limits: Fields = { override_timeout_sec: null, max_timeout_sec: null };
  return flavour === "0.13.1" ? { ...limits, env: {}, disable: false } : { ...limits, disable: false };
}

function multiplierFields(): Fields {
  return {
    timeout_multiplier: 1.0,
    agent_timeout_multiplier: null,
    verifier_timeout_multiplier: null,
    agent_setup_timeout_multiplier: null,
    environment_build_timeout_multiplier: null,
  };
}

/** When a job tries a trial again. */
export function retryFields(job: JobRecord): Fields {
  return {
    max_retries: BigInt(job.maxRetries),
    include_exceptions: null,
    exclude_exceptions: job.flavour === "0.22.0" ? NO_RETRY_022 : NO_RETRY,
    wait_multiplier: 1.0,
    min_wait_sec: 1.0,
    max_wait_sec: 60.0,
  };
}

/** `config` inside a trial's result.json: every field, in both flavours. */
export function prepareTrialConfig(job: JobRecord, trial: TrialRecord): Fields {
  const late = job.flavour === "0.22.0";
  const head: Fields = {
    task: taskFields(job.dataset, trial.task),
    trial_name: trial.name,
    trials_dir: formatJobDir(job),
  };
  const body: Fields = {
    agent: agentFields(job.flavour, trial.agent),
    ...(late ? { user_agent: null } : {}),
    environment: environmentFields(job.flavour),
    verifier: verifierFields(job.flavour),
  };
  if (job.flavour === "legacy") return { ...head, timeout_multiplier: 1.0, ...body, job_id: job.id };
  return {
    ...head,
    ...(late ? { install_only: false } : {}),
    ...multiplierFields(),
    ...body,
    artifacts: [],
    extra_instruction_paths: [],
    ...(late ? { extra_instructions: [] } : {}),
    job_id: job.id,
    ...(late ? { source_trial: null } : {}),
  };
}

/** The fields that say something. */
export function withoutNull(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function trimAgent(agent: AgentSpec): Fields {
  return withoutNull({ name: agent.name, model_name: formatModelName(agent) });
}

function trimTask(job: JobRecord, task: string): Fields {
  const { overwrite, ...rest } = taskFields(job.dataset, task);
  return overwrite === false ? withoutNull(rest) : rest;
}

/** A trial's own config.json: a full dump up to 0.13.1, only what differs from the defaults in 0.22. */
export function prepareTrialConfigFile(job: JobRecord, trial: TrialRecord): Fields {
  if (job.flavour !== "0.22.0") return prepareTrialConfig(job, trial);
  return {
    task: trimTask(job, trial.task),
    trial_name: trial.name,
    trials_dir: formatJobDir(job),
    agent: trimAgent(trial.agent),
    job_id: job.id,
  };
}

function datasetFields(job: JobRecord): Fields[] {
  const { dataset } = job;
  if (dataset.name === null) return [];
  if (dataset.version === null) return [{ path: `datasets/${dataset.name}`, task_names: job.tasks }];
  return [{ name: dataset.name, version: dataset.version, task_names: job.tasks }];
}

function fullDatasets(job: JobRecord): Json[] {
  const empty: Fields = {
    path: null,
    name: null,
    version: null,
    ref: null,
    registry_url: null,
    registry_path: null,
    overwrite: false,
    download_dir: null,
    task_names: null,
    exclude_task_names: null,
    n_tasks: null,
  };
  return datasetFields(job).map((fields) => ({ ...empty, ...fields }));
}

function trimmedJobConfig(job: JobRecord): Fields {
  const retry: Fields = job.maxRetries > 0 ? { retry: { max_retries: BigInt(job.maxRetries) } } : {};
  return {
    job_name: job.name,
    ...(job.attempts === 1 ? {} : { n_attempts: BigInt(job.attempts) }),
    ...(job.concurrent === 4 ? {} : { n_concurrent_trials: BigInt(job.concurrent) }),
    ...retry,
    agents: job.agents.map(trimAgent),
    ...(job.dataset.name === null ? {} : { datasets: datasetFields(job) }),
    ...(job.dataset.name === null ? { tasks: job.tasks.map((task) => trimTask(job, task)) } : {}),
  };
}

/** The job's config.json in the job's flavour; the legacy form has an `orchestrator` block. */
export function prepareJobConfig(job: JobRecord): Fields {
  if (job.flavour === "0.22.0") return trimmedJobConfig(job);
  const head: Fields = { job_name: job.name, jobs_dir: "jobs", n_attempts: BigInt(job.attempts) };
  const tasks = job.dataset.name === null ? job.tasks.map((task) => taskFields(job.dataset, task)) : [];
  const agents = job.agents.map((agent) => agentFields(job.flavour, agent));
  const parts: Fields = {
    environment: environmentFields(job.flavour),
    verifier: verifierFields(job.flavour),
    metrics: [],
    agents,
    datasets: fullDatasets(job),
    tasks,
  };
  if (job.flavour === "legacy") {
    const orchestrator: Fields = {
      type: "local",
      n_concurrent_trials: BigInt(job.concurrent),
      quiet: false,
      retry: retryFields(job),
      kwargs: {},
    };
    return { ...head, timeout_multiplier: 1.0, debug: false, orchestrator, ...parts };
  }
  return {
    ...head,
    ...multiplierFields(),
    debug: false,
    n_concurrent_trials: BigInt(job.concurrent),
    quiet: false,
    retry: retryFields(job),
    ...parts,
    artifacts: [],
    extra_instruction_paths: [],
    plugins: [],
  };
}
