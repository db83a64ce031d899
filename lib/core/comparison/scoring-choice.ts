import { SCORING_CHOICES, SCORING_WORDS, type ScoringChoice } from "@/lib/core/domain/scoring-choice";
import type { ScoringRule } from "@/lib/core/scoring";
import { computeMeanInterval, type MissingRule } from "@/lib/core/stats";

import type { ComparedRun, JoinedRuns } from "./run";
import type { ComparedTrial } from "./trials";

type Runs = readonly { readonly runs: readonly Pick<ComparedRun, "job">[] }[];

export function describeCounting(
  filter: { readonly rule: ScoringChoice; readonly missing: MissingRule },
  groups: Runs,
): string {
  const counted = describeCounted(filter, groups);
  return filter.rule === "recorded" ? counted : `${counted} (scoring rule ${SCORING_WORDS[filter.rule]})`;
}

function describeCounted({ rule, missing }: Parameters<typeof describeCounting>[0], groups: Runs): string {
  if (missing === "exclude" || rule === "graded") return "missing rewards excluded";
  const jobs = groups.flatMap(({ runs }) => runs.map(({ job }) => job.scoringRule));
  const rules = new Set<ScoringChoice>(rule === "recorded" ? jobs : [rule]);
  if (rules.size > 1) return "rewards counted by the Harbor version of each job";
  return rules.has("harbor-0.26") ? "missing and invalid rewards excluded" : "missing rewards count as 0";
}

export function applyScoring<Group extends JoinedRuns>(group: Group, choice: ScoringChoice): Group {
  if (choice === "recorded") return group;
  const recount = (trials: readonly ComparedTrial[]) =>
    trials.map((trial) => ({
      ...trial,
      counts: countsUnderChoice({ ...trial, hasReward: trial.rewards.size > 0 }, choice),
    }));
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

type FixedRule = Exclude<ScoringChoice, "recorded">;

/** Trials of one task that every rule counts alike. */
interface TrialTally extends Pick<ComparedTrial, "taskName" | "state" | "isRewardValid"> {
  readonly hasReward: boolean;
  /** Reward at the key of the score; null if missing or NaN. */
  readonly reward: number | null;
  readonly count: number;
}

export type RuleScore = ReturnType<typeof scoreUnderRules>[number];

/** Returns the score of a group under each rule; a missing reward that counts is 0. */
export function scoreUnderRules(tallies: readonly TrialTally[], own: ScoringRule) {
  return SCORING_CHOICES.filter((rule) => rule !== "recorded").map((rule) => {
    const counted = tallies.filter((tally) => countsUnderChoice(tally, rule));
    const tasks = [...Map.groupBy(counted, ({ taskName }) => taskName)].map(([task, its]) => ({
      task,
      values: its.flatMap(({ reward, count }) => new Array<number | null>(count).fill(reward)),
    }));
    return {
      rule,
      /** True for the rule that wrote the job. */
      isRecorded: rule === own,
      nCounted: counted.reduce((sum, { count }) => sum + count, 0),
      /** Mean over the counted attempts, with tasks as clusters; unavailable if no trial counts. */
      result: computeMeanInterval(tasks, { missing: "zero" }),
    };
  });
}

function countsUnderChoice(
  { state, hasReward, isRewardValid }: Pick<TrialTally, "state" | "hasReward" | "isRewardValid">,
  choice: FixedRule,
): boolean {
  if (choice === "all") return state !== "running";
  const isLeftOut = (choice === "harbor-0.26" && !isRewardValid) || (choice === "graded" && !hasReward);
  return state === "finished" && !isLeftOut;
}
