import { compareText } from "@/lib/core/domain/compare-text";
import { CONFIGURED_FACTS } from "@/lib/core/domain/environment";
import type { AgentSetting } from "@/lib/core/domain/trial";

import type { JobConfigFile, JobLockFile } from "./job-files";
import { copyPlainValue, type PlainValue } from "./plain-value";
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

const OWN_SETTINGS = ["import_path", "override_timeout_sec", "max_timeout_sec"] as const;
/** Option names that suggest a secret, which pages must never show. */
const SECRET =
  /^token$|(?:^|[._-])(?:env|key|secrets?|passwords?|credentials?|auth|bearer|api_?keys?|(?:auth|access|api)[_-]?tokens?)$/i;
const MAX_VALUE_CHARS = 160;

type AgentConfigParts = Partial<Record<(typeof OWN_SETTINGS)[number] | "kwargs", unknown>>;

/** Leaves out null values and secret-looking options. @see harbor 0.24.0 src/harbor/models/trial/config.py, `AgentConfig` */
export function readAgentSettings(
  config: AgentConfigParts,
  hash: (text: string) => string,
): readonly AgentSetting[] {
  const own = OWN_SETTINGS.map((name) => [name, config[name]] as const);
  const options = Object.entries(withoutSecrets(config.kwargs));
  return [...own, ...options.map(([name, value]) => [`kwargs.${name}`, value] as const)]
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ({ name, value: writeSetting(value, hash) }))
    .sort((a, b) => compareText(a.name, b.name));
}

function withoutSecrets(options: unknown): { readonly [name: string]: unknown } {
  if (typeof options !== "object" || options === null) return {};
  return Object.fromEntries(Object.entries(options).filter(([name]) => !SECRET.test(name)));
}

/** Returns JSON with sorted keys and no secret-looking ones; long values as a prefix and a hash. */
function writeSetting(value: unknown, hash: (text: string) => string): string {
  const text = writeSorted(copyPlainValue(value));
  return text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, MAX_VALUE_CHARS)}… (${hash(text)})`;
}

function writeSorted(value: PlainValue): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(", ")}]`;
  const keys = Object.keys(withoutSecrets(value)).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${writeSorted(value[key] ?? null)}`).join(", ")}}`;
}
