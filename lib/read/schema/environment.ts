import { CONFIGURED_FACTS } from "@/lib/core/domain/environment";
import type { AgentSetting } from "@/lib/core/domain/trial";

import { withoutSecrets, writeSetting } from "./agent-settings";
import type { JobConfigFile, JobLockFile } from "./job-files";
import type { TrialConfigFile } from "./trial-files";

/** Returns one JSON line per fact; empty if none. @see harbor 0.26.0 src/harbor/models/trial/config.py, `EnvironmentConfig` */
export function readEnvironment(config: TrialConfigFile, hash: (text: string) => string): string {
  return CONFIGURED_FACTS.map(([block, field]) => {
    const fields: { readonly [field: string]: unknown } = config[block] ?? {};
    const value = fields[field];
    if (value === undefined) return "";
    if (field === "kwargs") return writeSetting(withoutSecrets(value), hash);
    return writeSetting(field === "extra_docker_compose" ? withoutFolders(value) : value, hash);
  }).join("\n");
}

function withoutFolders(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFolders);
  return typeof value === "string" ? value.replace(/^.*[/\\]/su, "") : value;
}

export function readJobEnvironment(
  config: JobConfigFile | null,
  lock: JobLockFile | null,
): readonly AgentSetting[] {
  const facts = {
    "Harbor commit": lock?.harbor?.git_commit_hash,
    "concurrent trials":
      lock?.n_concurrent_trials ?? config?.n_concurrent_trials ?? config?.orchestrator?.n_concurrent_trials,
    "timeout multipliers": config && describeMultipliers(config),
  };
  return Object.entries(facts).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : { name, value: JSON.stringify(value) },
  );
}

/** Describes timeout multipliers: the specific one, else the general one. Harbor's default is 1. */
function describeMultipliers(config: JobConfigFile): string {
  const all = config.timeout_multiplier ?? 1;
  const parts = Object.entries({
    agent: config.agent_timeout_multiplier ?? all,
    verifier: config.verifier_timeout_multiplier ?? all,
    "agent setup": config.agent_setup_timeout_multiplier ?? all,
    "environment build": config.environment_build_timeout_multiplier ?? all,
  });
  const isUniform = new Set(parts.map(([, value]) => value)).size === 1;
  return isUniform
    ? String(parts[0]?.[1])
    : parts.map(([part, value]) => `${part} ${String(value)}`).join(", ");
}
