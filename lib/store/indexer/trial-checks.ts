import { createHash } from "node:crypto";

import type { TrialDerivedDetails } from "@/lib/core/domain/breakdown";
import type { RubricFit } from "@/lib/core/domain/rubric";
import { selectHeadlineReward, type Trial } from "@/lib/core/domain/trial";
import { classifyStepCause, selectFailure } from "@/lib/core/domain/trial-failure";
import { isZero, mayHideCrash, type UncomparedReason } from "@/lib/core/domain/verifier-check";
import { fitRubric } from "@/lib/core/evaluation";
import { pythonRepr, type PyNumber, type RewardDict } from "@/lib/core/scoring";
import type { JobRow, PlacedTrial } from "@/lib/store/tables";

type CheckedTrial = Pick<Trial, "taskName" | "taskDigest" | "state" | "rewards" | "exception" | "steps">;
type Placed = Pick<PlacedTrial, "position"> & { readonly trial: CheckedTrial };

/**
 * Prepares what compares a trial with others of the same task and output; null if its files hold nothing relevant, so that most
 * trials cost nothing.
 */
export function prepareCheck(
  { trial, position }: Placed,
  { hasDetails, output }: TrialDerivedDetails,
  fit: RubricFit,
): JobRow<"trialChecks"> | null {
  if (!hasDetails && output.kind === "unknown" && output.reason === "none") return null;
  const uncompared = tellUncompared(trial, output);
  const { digest, path } = output.kind === "known" ? output : UNKNOWN;
  const isCompared = uncompared === null;
  return {
    position,
    hasDetails: hasDetails ? 1 : 0,
    outputDigest: digest,
    outputPath: path,
    uncompared,
    compareKey: isCompared ? hash(`${trial.taskDigest ?? ""}\n${digest ?? ""}`) : null,
    rewardsKey: isCompared ? hash(writeRewards(trial.rewards ?? NO_REWARDS)) : null,
    rubricFit: fit === "no_dimensions" ? null : fit,
  };
}

/** Checks if a trial's headline reward follows from the dimensions in its details. */
export function checkRubric(
  { rewards }: Pick<Trial, "rewards">,
  { dimensions }: TrialDerivedDetails,
): RubricFit {
  const reward = selectHeadlineReward(rewards)?.value ?? null;
  const stated = Array.from(dimensions, ([name, said]) => ({ name, ...said }));
  return fitRubric(reward === null ? null : Number(reward), stated);
}

const UNKNOWN = { digest: null, path: null };
const NO_REWARDS: RewardDict = new Map();

function tellUncompared(trial: CheckedTrial, output: TrialDerivedDetails["output"]): UncomparedReason | null {
  if (output.kind === "unknown") return output.reason === "none" ? "no_output" : `output_${output.reason}`;
  if (trial.taskDigest === null) return "task_unknown";
  const causes = [selectFailure(trial)?.cause, ...(trial.steps ?? []).map(classifyStepCause)];
  if (causes.includes("verifier")) return "verifier_failed";
  return trial.rewards === null || trial.rewards.size === 0 ? "no_reward" : null;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Gives equal texts for values that Python considers equal, such as `1`, `1.0` and `True`; NaNs are equal here. */
function writeRewards(rewards: RewardDict): string {
  const rows = [...rewards].map(([key, value]) => `${JSON.stringify(key)} ${writeNumber(value)}`);
  return rows.sort().join("\n");
}

function writeNumber(value: PyNumber): string {
  if (typeof value === "number" && !Number.isInteger(value)) return pythonRepr(value);
  return BigInt(value).toString();
}

export class SuspicionRollup {
  private readonly tasksWithDetails = new Set<string>();
  private readonly suspects: (JobRow<"suspicions"> & { readonly task: string })[] = [];

  add({ trial, position }: Placed, { hasDetails, crash, explainsZero }: TrialDerivedDetails): void {
    if (hasDetails) this.tasksWithDetails.add(trial.taskName);
    if (!mayHideCrash(trial)) return;
    const lacksDetails = !hasDetails && !explainsZero && isZero(trial.rewards);
    if (crash === null && !lacksDetails) return;
    this.suspects.push({
      task: trial.taskName,
      position,
      log: crash?.file ?? null,
      logLine: crash?.line ?? null,
      lacksDetails: lacksDetails ? 1 : 0,
    });
  }

  close(): readonly JobRow<"suspicions">[] {
    return this.suspects.flatMap(({ task, ...row }) => {
      const lacksDetails = row.lacksDetails === 1 && this.tasksWithDetails.has(task);
      return lacksDetails || row.log !== null ? [{ ...row, lacksDetails: lacksDetails ? 1 : 0 }] : [];
    });
  }
}
