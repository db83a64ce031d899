import type { Route } from "next";

import type { StepView } from "@/lib/read/trial-reading";

export interface StepLinks {
  readonly step: (key: string) => Route;
  readonly artifact: (file: string) => Route;
  /** Lists a subagent's steps; with the step that started it as `starter`, closes them again. */
  readonly lane: (name: string, starter: string | null) => Route;
  readonly image: (step: Pick<StepView, "key" | "file">, nth: number) => Route;
}
