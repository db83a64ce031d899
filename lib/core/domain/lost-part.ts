/**
 * Work in none of a job's figures, or on which its files disagree. `retried`: attempts that were discarded and tried again.
 * `cancelled`: trials that a user stopped. `no-result`: folders without a readable result. `named-only`: trials named in
 * result.json, without a folder. `never-begun`: trials listed in the plan only. `unnamed`: results that result.json does not name.
 * `earlier`: trials that began before the start in result.json, as after a job was resumed by Harbor up to 0.1.45, which resets
 * it.
 */
const LOST_KINDS = [
  "retried",
  "cancelled",
  "no-result",
  "named-only",
  "never-begun",
  "unnamed",
  "earlier",
] as const;

export type LostKind = (typeof LOST_KINDS)[number];

export interface LostPart {
  readonly kind: LostKind;
  readonly n: number;
  /** US dollars of those with a known cost; null if none has one, which is not 0. */
  readonly costUsd: number | null;
  readonly nWithCost: number;
  readonly example: string | null;
  /** Retries according to result.json, job.log and `_retries`, null where it does not say; null for other kinds. */
  readonly counts: {
    readonly recorded: number | null;
    readonly logged: number | null;
    readonly kept: number;
  } | null;
}

export interface KeptAttempts {
  readonly n: number;
  readonly costUsd: number | null;
  readonly nWithCost: number;
}
