/** Whether a condition of a fair comparison holds. `unknown`: the files do not say. */
export interface ComparabilityCheck {
  readonly name: string;
  readonly state: "same" | "differs" | "unknown";
  /** What was found, in one sentence. */
  readonly detail: string;
}
