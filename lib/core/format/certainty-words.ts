export interface CertaintyWords {
  readonly id: string;
  readonly label: string;
  /** Name in a list of methods. */
  readonly term: string;
  readonly title: string;
  /** True if narrow pages leave it out. */
  readonly minor?: boolean;
}

/** Certainty of a group, in the order of the columns. */
export const CERTAINTY_WORDS = [
  {
    id: "mean",
    label: "Mean, new tasks",
    term: "Mean",
    title: "Every trial has the same weight; the interval is for new tasks like these",
  },
  {
    id: "rerunMean",
    label: "Expected score on a re-run",
    term: "Expected score on a re-run",
    title: "Every task has the same weight; the interval is for these tasks run again",
  },
  {
    id: "runToRun",
    label: "Run to run",
    term: "Run to run",
    title: "How far the runs of a set differ, compared with chance within tasks",
  },
  {
    id: "effectiveN",
    label: "Effective sample size",
    term: "Effective sample size",
    title: "Number of independent trials that would be as informative",
    minor: true,
  },
  {
    id: "solveRates",
    label: "Solved every time / sometimes / never",
    term: "Solve rates",
    title: "Tasks with several attempts, by how often they pass",
  },
  {
    id: "consistency",
    label: "Consistency",
    term: "Consistency",
    title: "How often two attempts at a task have the same result",
  },
  {
    id: "missing",
    label: "Missing rewards",
    term: "Missing rewards",
    title: "How many, and the mean if all were 0 or all were 1",
  },
  {
    id: "costPerSolve",
    label: "Cost per solve, $",
    term: "Cost per solve",
    title: "Cost of all attempts, divided by those that pass",
  },
] as const satisfies readonly CertaintyWords[];

export type CertaintyId = (typeof CERTAINTY_WORDS)[number]["id"];
