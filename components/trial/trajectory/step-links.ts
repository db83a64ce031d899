import type { Route } from "next";

import type { StepView } from "@/lib/trial-reading";

/** Links that a step's body needs. */
export interface StepLinks {
  readonly step: (key: string) => Route;
  readonly artifact: (file: string) => Route;
  /** The list with the steps of a subagent; without them where a step says to have started it. */
  readonly lane: (name: string, starter: string | null) => Route;
  /** An image that is written out in a step, the `nth` of them. */
  readonly image: (step: Pick<StepView, "key" | "file">, nth: number) => Route;
}
