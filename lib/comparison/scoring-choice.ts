import type { ScoringChoice } from "@/lib/domain/scoring-choice";
import type { MissingRule } from "@/lib/stats";

import type { ComparedRun } from "./run";
import type { ComparedTrial } from "./trials";
import type { JoinedRuns } from "./run-set";

/** Returns which rewards count in a comparison, such as `missing rewards count as 0`. */
export function describeCounting(
  { rule, missing }: { readonly rule: ScoringChoice; readonly missing: MissingRule },
  groups: readonly { readonly runs: readonly Pick<ComparedRun, "job">[] }[],
): string {
  if (missing === "exclude" || rule === "graded") return "missing rewards excluded";
  const jobs = groups.flatMap(({ runs }) => runs.map(({ job }) => job.scoringRule));
  const rules = new Set<ScoringChoice>(rule === "recorded" ? jobs : [rule]);
  if (rules.size > 1) return "rewards counted by the Harbor version of each job";
  return rules.has("harbor-0.26") ? "missing and invalid rewards excluded" : "missing rewards count as 0";
}

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
