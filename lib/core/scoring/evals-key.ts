export const ADHOC_DATASET = "adhoc";

export interface EvalsGroup {
  readonly agent: string;
  /** Model name without provider; null or empty when the agent has none. */
  readonly model: string | null;
  /** Dataset name; null or empty for trials without a dataset. */
  readonly source: string | null;
}

/**
 * Returns the key of a trial's evals group in a job's result.json.
 * @returns `{agent}__{model}__{dataset}`, without the model part when there is none
 * @remarks Never split a key: each part may contain `__`.
 * @see harbor 0.13.1 src/harbor/models/job/result.py, `JobStats.format_agent_evals_key`
 * @example evalsKey({ agent: "codex", model: null, source: null }) === "codex__adhoc"
 */
export function evalsKey({ agent, model, source }: EvalsGroup): string {
  const dataset = source === null || source === "" ? ADHOC_DATASET : source;
  return model === null || model === "" ? `${agent}__${dataset}` : `${agent}__${model}__${dataset}`;
}

/**
 * Returns the key of a trial's evals group as Harbor spelled it up to 0.3.0.
 * @returns {@link evalsKey} with every `/` as `-`, so names that differ only there share a group
 * @see harbor 0.3.0 src/harbor/models/job/result.py, `JobStats.format_agent_evals_key`
 * @example dashedEvalsKey({ agent: "codex", model: "openai/gpt-5", source: null }) === "codex__openai-gpt-5__adhoc"
 */
export function dashedEvalsKey(group: EvalsGroup): string {
  return evalsKey(group).replaceAll("/", "-");
}
