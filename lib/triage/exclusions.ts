import type { FailureClass } from "./classes";

/**
 * What a score can be read without, and the failure classes that are each. `infrastructure`: what failed is the model's service or
 * the account that pays for it, the environment, or the verifier. `timeout`: the agent's time ran out. Trials of any other class stay
 * in, unexplained ones and broken tasks among them: nothing shows that the agent had no part in it, or had less of a chance than others.
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

/** All classes that some reading of a score leaves out. */
export const EXCLUDED_CLASSES: readonly FailureClass[] = [...EXCLUSION_OF.keys()];

/** Which readings of a score leave out a trial of a class; null for one that none does. The one rule of pages and commands. */
export function exclusionOf(failureClass: FailureClass): ExcludedAs | null {
  return EXCLUSION_OF.get(failureClass) ?? null;
}
