import type { FailureClass } from "./classes";

/**
 * Failure classes that a score can exclude. `infrastructure`: the model's service, its account, the environment or the verifier
 * failed. `timeout`: the agent's time ran out. Other classes stay in, including unexplained trials and broken tasks: nothing shows
 * that the agent had no part in it, or less of a chance than others.
 */
export const EXCLUSION_CLASSES = {
  infrastructure: ["provider", "out_of_budget", "infrastructure", "verifier"],
  timeout: ["out_of_time"],
} as const satisfies Readonly<Record<string, readonly FailureClass[]>>;

type ExcludedAs = keyof typeof EXCLUSION_CLASSES;

const EXCLUSION_OF = new Map<FailureClass, ExcludedAs>([
  ...EXCLUSION_CLASSES.infrastructure.map((one) => [one, "infrastructure"] as const),
  ...EXCLUSION_CLASSES.timeout.map((one) => [one, "timeout"] as const),
]);

export const EXCLUDED_CLASSES: readonly FailureClass[] = [...EXCLUSION_OF.keys()];

/** Pages and commands all use this rule. Null for a class that no score excludes. */
export function exclusionOf(failureClass: FailureClass): ExcludedAs | null {
  return EXCLUSION_OF.get(failureClass) ?? null;
}
