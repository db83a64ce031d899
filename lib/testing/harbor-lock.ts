import {
  agentFields,
  environmentFields,
  type Fields,
  retryFields,
  taskFields,
  verifierFields,
  withoutNull,
} from "./harbor-config";
import type { JobRecord, TrialRecord } from "./record";

function taskDigest(job: JobRecord, task: string, digests: ReadonlyMap<string, string>): Fields {
  const type = job.dataset.gitUrl === null ? "local" : "git";
  return withoutNull({
    name: task,
    type,
    digest: `sha256:${digests.get(task) ?? "0".repeat(64)}`,
    source: job.dataset.name,
    path: taskFields(job.dataset, task)["path"] ?? null,
    git_url: job.dataset.gitUrl,
    git_commit_id: job.dataset.commit,
  });
}

/** One trial of the job lock, and in 0.22 the trial's own lock.json. */
export function prepareTrialLock(
  job: JobRecord,
  trial: TrialRecord,
  digests: ReadonlyMap<string, string>,
): Fields {
  const late = job.flavour === "0.22.0";
  const task = taskDigest(job, trial.task, digests);
  const agent = withoutNull(agentFields(job.flavour, trial.agent));
  const environment = withoutNull(environmentFields(job.flavour));
  if (!late)
    return {
      task,
      timeout_multiplier: 1.0,
      agent,
      skills: [],
      environment,
      verifier: withoutNull(verifierFields(job.flavour)),
    };
  return {
    schema_version: 2n,
    task,
    install_only: false,
    timeout_multiplier: 1.0,
    agent,
    bridge_inputs: {},
    skills: [],
    environment,
    verifier: { disable: false, environment_mode: "shared" },
  };
}

/** The job's lock.json: schema 1 with the command line in 0.13.1, schema 3 in 0.22. */
export function prepareJobLock(
  job: JobRecord,
  createdAt: string,
  digests: ReadonlyMap<string, string>,
): Fields {
  const late = job.flavour === "0.22.0";
  const invocation = [
    "harbor",
    "run",
    "-d",
    `${job.dataset.name ?? "local"}@${job.dataset.version ?? "head"}`,
    "-k",
    String(job.attempts),
    "-n",
    String(job.concurrent),
    ...job.agents.flatMap((agent) => ["-a", agent.name]),
  ];
  return {
    schema_version: late ? 3n : 1n,
    created_at: createdAt,
    harbor: { version: job.flavour, is_editable: false },
    ...(late ? {} : { invocation }),
    n_concurrent_trials: BigInt(job.concurrent),
    retry: withoutNull(retryFields(job)),
    trials: job.trials.map((trial) => prepareTrialLock(job, trial, digests)),
  };
}
