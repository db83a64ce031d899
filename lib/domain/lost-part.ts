/**
 * Work of a job that is in none of its figures, or that its files disagree on. `retried`: attempts that were thrown away and tried again.
 * `cancelled`: trials that somebody stopped. `no-result`: folders without a readable result. `named-only`: trials that result.json names
 * and that have no folder. `never-begun`: planned trials that nothing else speaks of. `unnamed`: results that result.json does not
 * name. `earlier`: trials that began before the start that result.json states, as after a job was resumed by Harbor up to 0.1.45, which sets it anew.
 */
export const LOST_KINDS = [
  "retried",
  "cancelled",
  "no-result",
  "named-only",
  "never-begun",
  "unnamed",
  "earlier",
] as const;

export type LostKind = (typeof LOST_KINDS)[number];

/** One kind of lost work of a job. */
export interface LostPart {
  readonly kind: LostKind;
  /** Trials; of `retried` attempts. At least 1. */
  readonly n: number;
  /** US dollars that went into those whose cost is known; null where none is, which is not 0. */
  readonly costUsd: number | null;
  readonly nWithCost: number;
  /** One of them; null where they have no name. */
  readonly example: string | null;
  /** Attempts that were retried as result.json counts, job.log says and `_retries` holds them, null where it does not say; null for other kinds. */
  readonly counts: {
    readonly recorded: number | null;
    readonly logged: number | null;
    readonly kept: number;
  } | null;
}

/** Earlier attempts that stand in a job's folder. */
export interface KeptAttempts {
  readonly n: number;
  /** Of those that state one; null when none does. */
  readonly costUsd: number | null;
  readonly nWithCost: number;
}
