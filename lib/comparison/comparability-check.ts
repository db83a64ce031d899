/** A condition of a fair comparison. `unknown`: the files do not record it. */
export interface ComparabilityCheck {
  readonly name: string;
  readonly state: "same" | "differs" | "unknown";
  /** The finding as one sentence. */
  readonly detail: string;
}
