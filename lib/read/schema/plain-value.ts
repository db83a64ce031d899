import type { PyValue } from "@/lib/core/scoring";

/** Merges Python's int and float, so never read a reward or a statistic from it. */
export type PlainValue =
  | null
  | boolean
  | number
  | string
  | PlainValue[]
  | {
      [key: string]: PlainValue;
    };

const LEFT_OUT: ReadonlySet<string> = new Set([
  "rollout_details",
  "metadata",
  "env",
  "trial_results",
  "evals",
  "rewards",
  "step_results",
  "artifacts",
  "mcp_servers",
  "skills",
  "mounts",
]);

/** Converts ints to doubles; omits bulky fields and `__proto__`. */
export function toPlainValue(value: PyValue): PlainValue {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(toPlainValue);
  const plain: { [key: string]: PlainValue } = {};
  for (const [key, item] of value) {
    if (key === "metadata") plain[key] = pickTargetUsage(item);
    else if (key !== "__proto__" && !LEFT_OUT.has(key)) plain[key] = toPlainValue(item);
  }
  return plain;
}

const TARGET_USAGE = "acp_target_usage";

function pickTargetUsage(metadata: PyValue): PlainValue {
  const usage = metadata instanceof Map ? metadata.get(TARGET_USAGE) : undefined;
  return usage === undefined ? {} : { [TARGET_USAGE]: toPlainValue(usage) };
}

export function copyPlainValue(value: unknown): PlainValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(copyPlainValue);
  if (typeof value !== "object" || value === null) return null;
  const plain: { [key: string]: PlainValue } = {};
  for (const [key, item] of Object.entries(value)) {
    if (key !== "__proto__") plain[key] = copyPlainValue(item);
  }
  return plain;
}
