import type { JobRecord } from "./job";
import type { Trial } from "./trial";

/**
 * Name and config path of each fact, in the order of {@link Trial.environment}. Excludes variables, mounts, options with
 * names of secrets and folders of compose files: they hold secrets and home folders.
 */
export const CONFIGURED_FACTS = [
  ["environment", "type", "provider"],
  ["environment", "import_path", "environment import path"],
  ["environment", "override_cpus", "CPUs"],
  ["environment", "override_memory_mb", "memory (MB)"],
  ["environment", "override_storage_mb", "storage (MB)"],
  ["environment", "override_gpus", "GPUs"],
  ["environment", "override_tpu", "TPU"],
  ["environment", "cpu_enforcement_policy", "CPU enforcement"],
  ["environment", "memory_enforcement_policy", "memory enforcement"],
  ["environment", "extra_allowed_hosts", "allowed hosts"],
  ["environment", "extra_docker_compose", "compose files"],
  ["environment", "kwargs", "environment options"],
  ["verifier", "override_timeout_sec", "verifier timeout"],
  ["verifier", "max_timeout_sec", "verifier timeout limit"],
  ["verifier", "environment_mode", "verifier environment"],
  ["verifier", "extra_allowed_hosts", "verifier allowed hosts"],
  ["agent", "extra_allowed_hosts", "agent allowed hosts"],
  ["agent", "override_setup_timeout_sec", "agent setup timeout"],
] as const;

export type EnvironmentFacts = ReadonlyMap<string, readonly string[]>;

export function collectEnvironment(
  trials: readonly Pick<Trial, "environment">[],
  job: Pick<JobRecord, "environment">,
): EnvironmentFacts {
  const facts = new Map(job.environment.map(({ name, value }) => [name, [value]]));
  for (const text of new Set(trials.map(({ environment }) => environment ?? "")))
    for (const [at, value] of text.split("\n").entries()) {
      const name = CONFIGURED_FACTS[at]?.[2];
      const known = facts.get(name ?? "") ?? [];
      if (name !== undefined && value !== "" && !known.includes(value)) facts.set(name, [...known, value]);
    }
  return facts;
}
