/**
 * Operands of a score. `recorded`: by the rule that wrote each job. `harbor-0.25`: every finished trial, one without a reward as
 * 0. `harbor-0.26`: valid rewards. `all`: every attempt, one without a reward as 0. `graded`: every reward.
 */
export const SCORING_CHOICES = ["recorded", "harbor-0.25", "harbor-0.26", "all", "graded"] as const;

export type ScoringChoice = (typeof SCORING_CHOICES)[number];

export const SCORING_WORDS: Readonly<Record<ScoringChoice, string>> = {
  recorded: "As recorded",
  "harbor-0.25": "Harbor ≤ 0.25",
  "harbor-0.26": "Harbor ≥ 0.26",
  all: "All trials",
  graded: "Graded only",
};
