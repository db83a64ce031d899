import type { ScoringChoice } from "@/lib/domain/scoring-choice";

import type { ComparedTrial } from "./trials";
import type { JoinedRuns } from "./run-set";

/** Counts the trials of a group by one rule, whatever wrote their jobs. */
export function applyScoring<Group extends JoinedRuns>(group: Group, choice: ScoringChoice): Group {
  if (choice === "recorded") return group;
  const recount = (trials: readonly ComparedTrial[]) =>
    trials.map((trial) => ({ ...trial, counts: countsUnderChoice(trial, choice) }));
  return {
    ...group,
    scoring: choice,
    trials: recount(group.trials),
    contents: group.contents.map((content) => ({
      ...content,
      trials: recount(content.trials),
      counted: recount(content.counted),
    })),
  };
}

function countsUnderChoice(
  { state, rewards, isRewardValid }: ComparedTrial,
  choice: Exclude<ScoringChoice, "recorded">,
): boolean {
  switch (choice) {
    case "harbor-0.25":
      return state === "finished";
    case "harbor-0.26":
      return state === "finished" && isRewardValid;
    case "all":
      return state !== "running";
    case "graded":
      return state === "finished" && rewards.size > 0;
  }
}
