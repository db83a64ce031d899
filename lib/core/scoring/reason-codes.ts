import { joinPythonWords, stripPythonSpace } from "./python/unicode";

export const RETRYABLE_REASON_CODES = [
  "harbor_broker_connection_failed",
  "harbor_cancelled_error",
  "harbor_environment_start_timeout_error",
  "terminal_bench_broker_ref_missing",
  "terminal_bench_job_dir_missing",
  "terminal_bench_lease_expired",
] as const;

export const FINAL_REASON_CODES = [
  "harbor_agent_timeout_error",
  "harbor_nonzero_exit",
  "harbor_result_invalid",
  "harbor_result_malformed",
  "harbor_result_missing",
  "harbor_result_partial",
  "harbor_reward_empty",
  "harbor_reward_missing",
  "harbor_reward_parse_error",
  "harbor_submission_code_failed",
  "harbor_trial_failed",
  "harbor_trial_result_malformed",
  "harbor_trial_result_missing",
  "harbor_verifier_timeout_error",
  "agent_hydrate_failed",
] as const;

export const FALLBACK_REASON_CODES = ["terminal_bench_attempt_not_running", "terminal_bench_failed"] as const;

export type KnownReasonCode = (typeof RETRYABLE_REASON_CODES)[number] | (typeof FINAL_REASON_CODES)[number];

const KNOWN: ReadonlySet<string> = new Set([...RETRYABLE_REASON_CODES, ...FINAL_REASON_CODES]);

const NOT_ALPHANUMERIC = /[^\p{L}\p{N}]+/gu;

interface Forms {
  readonly lowered: string;
  readonly compact: string;
}

type Rule = readonly [code: KnownReasonCode, matches: (forms: Forms) => boolean];

const has = (text: string, ...parts: readonly string[]): boolean => parts.some((part) => text.includes(part));

/** First match wins, so the order is part of the rule. */
const RULES: readonly Rule[] = [
  ["harbor_cancelled_error", ({ compact }) => has(compact, "cancellederror", "cancelederror")],
  ["harbor_environment_start_timeout_error", ({ compact }) => has(compact, "environmentstarttimeouterror")],
  ["harbor_agent_timeout_error", ({ compact }) => has(compact, "agenttimeouterror")],
  ["harbor_verifier_timeout_error", ({ compact }) => has(compact, "verifiertimeouterror")],
  ["harbor_broker_connection_failed", ({ lowered }) => has(lowered, "broker") && has(lowered, "connection")],
  [
    "harbor_broker_connection_failed",
    ({ lowered }) => has(lowered, "connection refused", "connection reset"),
  ],
  ["harbor_reward_missing", ({ lowered }) => has(lowered, "reward") && has(lowered, "missing")],
  ["harbor_reward_empty", ({ lowered }) => has(lowered, "reward") && has(lowered, "empty")],
  [
    "harbor_reward_parse_error",
    ({ lowered }) => has(lowered, "reward") && has(lowered, "parse", "malformed"),
  ],
  [
    "harbor_submission_code_failed",
    ({ lowered }) => has(lowered, "submission") && has(lowered, "code", "runtime"),
  ],
];

const ALIASES: ReadonlyMap<string, KnownReasonCode> = new Map([
  ["agent_timeout_error", "harbor_agent_timeout_error"],
  ["agenttimeouterror", "harbor_agent_timeout_error"],
  ["cancelled_error", "harbor_cancelled_error"],
  ["cancellederror", "harbor_cancelled_error"],
  ["environment_start_timeout_error", "harbor_environment_start_timeout_error"],
  ["environmentstarttimeouterror", "harbor_environment_start_timeout_error"],
  ["submission_code_failure", "harbor_submission_code_failed"],
  ["submissioncodefailure", "harbor_submission_code_failed"],
  ["verifier_timeout_error", "harbor_verifier_timeout_error"],
  ["verifiertimeouterror", "harbor_verifier_timeout_error"],
]);

/**
 * Returns the reason code of an external text: an exception class, a message or a code in any spelling. It is a known code where a
 * rule matches, else the text in lower case with white space and hyphens as underscores; null for null and blank text.
 * @see agent-challenge evaluation/terminal_bench.py, `normalize_terminal_bench_reason_code`
 */
export function normalizeReasonCode(text: string | null): string | null {
  const lowered = stripPythonSpace(text ?? "").toLowerCase();
  if (lowered === "") return null;
  const underscored = joinPythonWords(lowered.replaceAll("-", "_"), "_");
  const compact = lowered.replace(NOT_ALPHANUMERIC, "");
  if (KNOWN.has(lowered)) return lowered;
  if (KNOWN.has(underscored)) return underscored;
  const alias = ALIASES.get(compact) ?? ALIASES.get(underscored);
  if (alias !== undefined) return alias;
  const rule = RULES.find(([, matches]) => matches({ lowered, compact }));
  return rule === undefined ? underscored : rule[0];
}
