/** `unknown`: the files do not record it. */
export interface ComparabilityCheck {
  readonly name: string;
  readonly state: "same" | "differs" | "unknown";
  readonly detail: string;
}
