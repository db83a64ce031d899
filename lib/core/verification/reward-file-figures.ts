import {
  type RewardFileReading,
  selectHeadlineReward,
  type StepRecord,
  type Trial,
} from "@/lib/core/domain/trial";
import type { Figure } from "@/lib/core/domain/verification";
import { aggregateStepRewards, dumpPythonJson, type RewardDict } from "@/lib/core/scoring";

import { compareNumbers, type NumberComparison } from "./compare-numbers";
import { buildFigure, type FigureSubject, makeSubject } from "./figure";

/** Compares the reward file of every trial with its result.json; for a multi-step trial per step, and the steps with the trial. */
export function verifyRewardFiles(trials: readonly Trial[]): Figure[] {
  return trials.flatMap((trial) => {
    const subject = describeTrial(trial, trial.key);
    if (trial.ledger !== null) return judgeRecord(subject, trial.rewards);
    if (trial.steps === null) {
      const gap = { unread: trial.rewardsProblem, exceptionType: trial.exception?.type ?? null };
      return judgeFiles(subject, trial, gap);
    }
    const steps = trial.steps.flatMap((step) =>
      judgeFiles(describeTrial(trial, `${trial.key}/steps/${step.stepName}`), step, {
        unread: null,
        exceptionType: step.exception?.type ?? null,
      }),
    );
    return [...steps, ...judgeSteps(describeTrial(trial, `${trial.key}/steps`), trial)];
  });
}

function judgeRecord(subject: FigureSubject, recorded: RewardDict | null): Figure[] {
  if (recorded === null) return [];
  const reason = "A ledger stores the reward only in its record, so there is no file to compare.";
  return [buildFigure(subject, "not-recorded", { recorded }, reason)];
}

interface Gap {
  readonly unread: string | null;
  readonly exceptionType: string | null;
}

function describeTrial(trial: Trial, path: string): FigureSubject {
  return makeSubject("reward-file", path, trial.groupKey, [trial]);
}

/** Compares the reward file that counts; with both files present, the figure names it. */
function judgeFiles(
  subject: FigureSubject,
  { rewardFile, otherRewardFile, rewards }: Pick<StepRecord, "rewardFile" | "otherRewardFile" | "rewards">,
  gap: Gap,
): Figure[] {
  const figures = judgeFile(subject, rewardFile, rewards, gap);
  if (otherRewardFile === null || rewardFile.kind === "absent" || rewardFile.file === "reward.json")
    return figures;
  return figures.map((figure) => ({
    ...figure,
    rule: "reward-text-first",
    reason: figure.reason ?? TEXT_FIRST,
  }));
}

const TEXT_FIRST = "The reward comes from reward.txt. As in Harbor up to 0.6.6, reward.json was not read.";

function judgeFile(
  subject: FigureSubject,
  file: RewardFileReading,
  recorded: RewardDict | null,
  gap: Gap,
): Figure[] {
  if (file.kind === "read") return [judgeReading(subject, file, recorded, gap)];
  if (file.kind === "absent") {
    const reason = "No reward file is kept with this result.";
    return recorded === null ? [] : [buildFigure(subject, "not-recorded", { recorded }, reason)];
  }
  if (recorded === null) {
    const reason = `${file.file} gives no reward (${file.reasonCode}), and result.json records none.`;
    return [buildFigure(subject, "not-recorded", {}, reason)];
  }
  const reason = `${file.file} can no longer be read (${file.reasonCode}), so the recorded reward cannot be compared.`;
  return [buildFigure(subject, "incomplete", { recorded }, reason)];
}

function judgeReading(
  subject: FigureSubject,
  { file, rewards: read, isUnrecorded }: RewardFileReading & { readonly kind: "read" },
  recorded: RewardDict | null,
  gap: Gap,
): Figure {
  const values = { recorded, recomputed: read };
  if (recorded === null && read === null) return buildFigure(subject, "exact", values, null);
  if (recorded === null && gap.unread === null && isUnrecorded)
    return buildFigure(
      subject,
      "mismatch",
      { recomputed: read },
      `Expected but not recorded: the verifier left ${file}.`,
    );
  if (recorded === null) {
    const verdict = gap.unread === null ? "not-recorded" : "incomplete";
    return buildFigure(subject, verdict, { recomputed: read }, explainGap(file, gap));
  }
  if (read === null)
    return buildFigure(subject, "mismatch", values, `${file} has null, which is not a reward.`);
  const { verdict, ulps } = compareRewards(recorded, read);
  const reason = verdict === "exact" ? null : explainDifference(file, recorded, read);
  return buildFigure(subject, verdict, values, reason, ulps);
}

function explainGap(file: string, { unread, exceptionType }: Gap): string {
  if (unread !== null) return `The rewards in result.json cannot be read: ${unread}`;
  const why = exceptionType === null ? "" : `, which ended with ${exceptionType}`;
  return `${file} has a reward that never reached result.json${why}.`;
}

function explainDifference(file: string, recorded: RewardDict, read: RewardDict): string {
  const keys = new Set([...recorded.keys(), ...read.keys()]);
  const show = (rewards: RewardDict, key: string) => {
    const value = rewards.get(key);
    return value === undefined ? "nothing" : dumpPythonJson(value);
  };
  const differing = [...keys].filter((key) => show(recorded, key) !== show(read, key));
  const key = differing[0] ?? "";
  const more = differing.length > 1 ? ` (and ${differing.length - 1} more keys)` : "";
  return `For "${key}", ${file} has ${show(read, key)} and result.json ${show(recorded, key)}${more}.`;
}

const NO_TRIAL_REWARDS = "Expected but not recorded: the last step has rewards, and the trial has none.";

function judgeSteps(subject: FigureSubject, trial: Trial): Figure[] {
  const recorded = trial.rewards;
  if (trial.steps === null) return [];
  const results = trial.steps.map((step) => (step.hasVerifierResult ? { rewards: step.rewards } : null));
  const mean = aggregateStepRewards(results, "mean")?.rewards ?? null;
  const final = aggregateStepRewards(results, "final")?.rewards ?? null;
  if (recorded === null) {
    // An error of the trial itself ends it before its steps are added up.
    const isLost =
      trial.exception === null && trial.rewardsProblem === null && final !== null && mean !== null;
    return isLost ? [buildFigure(subject, "mismatch", { recomputed: mean }, NO_TRIAL_REWARDS)] : [];
  }
  const isFinal = final !== null && compareRewards(recorded, final).verdict === "exact";
  const recomputed = isFinal ? final : mean;
  if (recomputed === null) {
    const reason = "No step has a verifier result that gives these rewards.";
    return [buildFigure(subject, "mismatch", { recorded }, reason)];
  }
  const { verdict, ulps } = compareRewards(recorded, recomputed);
  const reasons = {
    exact: null,
    ulp: "Equal up to rounding: the steps were added in another order.",
    mismatch: "The rewards are neither the mean over the steps nor those of the last step.",
  } as const;
  return [buildFigure(subject, verdict, { recorded, recomputed }, reasons[verdict], ulps)];
}

function compareRewards(recorded: RewardDict, recomputed: RewardDict): NumberComparison {
  let worst: NumberComparison = { verdict: "exact", ulps: null };
  if (recorded.size !== recomputed.size) return { verdict: "mismatch", ulps: null };
  for (const [key, value] of recorded) {
    const partner = recomputed.get(key);
    const comparison = partner === undefined ? null : compareNumbers(value, partner);
    if (comparison === null || comparison.verdict === "mismatch") return { verdict: "mismatch", ulps: null };
    if (comparison.verdict === "ulp" && (comparison.ulps ?? 0) >= (worst.ulps ?? 0)) worst = comparison;
  }
  return worst;
}

export function readReward(rewards: RewardDict | null, key: string | null = null) {
  const named = key === null ? selectHeadlineReward(rewards) : { key, value: rewards?.get(key) };
  if (named?.value === undefined) return null;
  return { key: named.key, value: named.value, text: dumpPythonJson(named.value) };
}

export function listRewards(rewards: RewardDict | null) {
  return [...(rewards ?? [])].map(([key, value]) => ({ key, value, text: dumpPythonJson(value) }));
}
