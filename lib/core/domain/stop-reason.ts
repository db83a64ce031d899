const STOP_REASONS = ["output limit", "context limit", "refusal", "turn limit", "aborted"] as const;

type StopReason = (typeof STOP_REASONS)[number];

export interface RecordedStop {
  readonly reason: StopReason;
  readonly text: string;
}

/** The words of model APIs and agents, in lower case with `_` between words. */
const PATTERNS: Readonly<Record<StopReason, RegExp>> = {
  "output limit":
    /^(?:length|max_(?:output_|completion_)?tokens?|(?:message_?)?output_?(?:length|tokens?)_?(?:limit|(?:exceeded_?)?error))$/u,
  "context limit":
    /^model_length$|^(?:model_)?context_?(?:window|length|size|overflow|limit)_?(?:(?:limit_?)?exceeded_?|overflow_?|full)?(?:error)?$/u,
  refusal:
    /^(?:refusal|content_?filter(?:ed)?|safety|recitation|blocklist|prohibited_content|spii|guardrail_intervened|content_?policy_?violation(?:_?error)?|status_error_llm_content_policy_violation)$/u,
  "turn limit":
    /^(?:error_)?max_?(?:imum_)?(?:turns?|steps?|iterations?|tool_calls?|budget_usd)(?:_reached|_exceeded)?$|^(?:(?:step|cost|turn|call|tool_?call)_?)?limits?_?(?:exceeded|reached)$|(?:^|_)reached_maximum_iteration/u,
  aborted:
    /^(?:turn_|message_?|user_|request_)?(?:abort(?:ed)?|interrupt(?:ed)?|cancell?ed)(?:_by_user)?(?:_?error)?$/u,
};

/** Null for a run that ended as planned, and for unknown words. */
export function parseStopReason(value: unknown): RecordedStop | null {
  if (typeof value !== "string" || value.length > 200) return null;
  const words = value
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "_");
  const reason = STOP_REASONS.find((one) => PATTERNS[one].test(words));
  return reason === undefined ? null : { reason, text: value };
}
