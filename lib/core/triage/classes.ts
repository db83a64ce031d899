import type { Exclusion } from "@/lib/core/stats";

/**
 * Parties that can fix failures, in the order of pages. `unexplained`: unknown until read. `benchmark`: the authors of task and
 * verifier. `environment`: its operators. `limits`: those who set time and budgets, or the agent that spends them. `agent`: its
 * authors. `no_evidence`: only the result was kept. `not_run`: there is no attempt.
 */
export const OWNER_WORDS = {
  unexplained: "Unexplained",
  benchmark: "Benchmark",
  environment: "Environment",
  limits: "Limits",
  agent: "Agent",
  no_evidence: "No evidence",
  not_run: "Not run",
} as const;

export type Owner = keyof typeof OWNER_WORDS;

export const OWNERS = Object.keys(OWNER_WORDS) as readonly Owner[]; // Keys of the object itself.

interface ClassFacts {
  readonly words: string;
  /** For narrow columns; the words by default. */
  readonly heading?: string;
  readonly owner: Owner;
  /**
   * Set if a score can exclude its trials. `infrastructure`: the model's service, its account, the environment or the verifier
   * failed. `timeout`: the agent's time ran out. Other classes stay in, including unexplained trials and broken tasks: nothing shows
   * that the agent had no part in it, or less of a chance than others.
   */
  readonly excludedAs?: Exclusion;
  /** True if it is common in a hard benchmark or no problem of the run, so that a running job never reports it. */
  readonly isUsual?: boolean;
}

/**
 * Causes of a failed trial, as far as its files prove them: the class of the first matching rule, else `unexplained`.
 * `out_of_budget`: the account reached its own quota, credit or plan limit, so its owner must act (HTTP 402, "usage limit
 * reached"). `provider`: the service refused or failed for any other reason, such as a limit that resets within minutes (429),
 * overload, an outage or a bad key.
 */
const TABLE = {
  wrong_answer: { words: "wrong answer", owner: "agent", isUsual: true },
  partial_credit: { words: "partial credit", owner: "agent", isUsual: true },
  no_answer: { words: "no answer", owner: "agent" },
  stopped_early: { words: "stopped early", owner: "agent", isUsual: true },
  out_of_time: { words: "out of time", heading: "time", owner: "limits", excludedAs: "timeout" },
  out_of_context: { words: "out of context", heading: "context", owner: "limits" },
  out_of_output: { words: "out of output", heading: "output", owner: "limits" },
  out_of_turns: { words: "out of turns", heading: "turns", owner: "limits" },
  out_of_budget: { words: "out of budget", heading: "budget", owner: "limits", excludedAs: "infrastructure" },
  agent_crashed: { words: "agent crashed", heading: "crashed", owner: "agent" },
  provider: {
    words: "provider failed",
    heading: "provider",
    owner: "environment",
    excludedAs: "infrastructure",
  },
  infrastructure: {
    words: "infrastructure failed",
    heading: "infra",
    owner: "environment",
    excludedAs: "infrastructure",
  },
  verifier: {
    words: "verifier failed",
    heading: "verifier",
    owner: "benchmark",
    excludedAs: "infrastructure",
  },
  task_broken: { words: "task broken", owner: "benchmark" },
  cancelled: { words: "cancelled", owner: "not_run" },
  missing: { words: "missing", owner: "not_run" },
  unreadable: { words: "unreadable", owner: "not_run" },
  no_evidence: {
    words: "no evidence kept",
    heading: "no evidence",
    owner: "no_evidence",
    isUsual: true,
  },
  unexplained: { words: "unexplained", owner: "unexplained", isUsual: true },
} as const satisfies Readonly<Record<string, ClassFacts>>;

export type FailureClass = keyof typeof TABLE;

export const CLASSES: Readonly<Record<FailureClass, ClassFacts>> = TABLE;

export const FAILURE_CLASSES = Object.keys(TABLE) as readonly FailureClass[]; // Keys of the object itself.

/** Returns the classes whose facts have these values, all of them if a value is null. */
export function listClasses(
  wanted: Partial<Pick<ClassFacts, "owner" | "excludedAs">>,
): readonly FailureClass[] {
  const { owner, excludedAs } = wanted;
  return FAILURE_CLASSES.filter((one) => {
    const facts = CLASSES[one];
    return (owner ?? facts.owner) === facts.owner && (excludedAs ?? facts.excludedAs) === facts.excludedAs;
  });
}

/** Every class that a score can exclude. */
export const EXCLUDED_CLASSES = FAILURE_CLASSES.filter((one) => CLASSES[one].excludedAs !== undefined);

export function nameHeading(failureClass: FailureClass): string {
  const { words, heading = words } = CLASSES[failureClass];
  return heading;
}
