import type { TrialRecord } from "@/lib/domain/trial";

/** Where a trial lies, for whoever reads its files. */
export interface TrialPlace {
  /** Absolute path of its folder, or of its record where it is a ledger's; null when it has none. */
  readonly path: string | null;
  /** The opened folder that it lies in. */
  readonly root: { readonly index: number; readonly label: string; readonly path: string };
  /** Names of its steps in the order they ran; null for a single-step trial. */
  readonly stepNames: readonly string[] | null;
  /** The trial itself where it is a ledger's, whose files its record names; null for one that Harbor wrote. */
  readonly ledger: TrialRecord | null;
}
