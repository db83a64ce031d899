import type { EvaluationFiles, FileOfTrial } from "@/lib/core/domain/evaluation-files";
import { selectHeadlineReward, type Trial } from "@/lib/core/domain/trial";
import { ingestVerifierArtifacts } from "@/lib/core/evaluation";
import type { RewardDict } from "@/lib/core/scoring";

import type { EvaluationFault, Provenance } from "./types";

export type RewardedTrial = Pick<
  Trial,
  "state" | "rewards" | "rewardsProblem" | "rewardFile" | "steps" | "exception"
>;

export type FoundReward =
  | { readonly kind: "found"; readonly reward: number; readonly origin: Provenance }
  /** The verifier left no reward: 0.0 by the contract. */
  | { readonly kind: "absent"; readonly origin: Provenance }
  | { readonly kind: "none"; readonly origin: Provenance; readonly issue: EvaluationFault };

const REWARD_JSON = "verifier/reward.json";

/**
 * Returns the reward from `verifier/reward.json`, then `reward.txt`, then result.json: of several keys `reward`, else the only
 * one.
 */
export function findReward(trial: RewardedTrial, files: EvaluationFiles): FoundReward {
  if (trial.state !== "finished") return refuse(STATE_ISSUES[trial.state], NOT_FINISHED[trial.state], null);
  if (files.reward !== null) return readRewardJson(files.reward, trial);
  const unreadable = files.issues.find(({ path }) => path === REWARD_JSON);
  if (unreadable !== undefined) return refuse(unreadable.code, unreadable.detail, REWARD_JSON);
  const { rewardFile } = trial;
  if (rewardFile.kind === "error") {
    return refuse("reward_file_invalid", rewardFile.message, `verifier/${rewardFile.file}`);
  }
  if (rewardFile.kind === "read" && rewardFile.rewards !== null) {
    return selectReward(rewardFile.rewards, `verifier/${rewardFile.file}`);
  }
  return readResult(trial);
}

function readResult({ rewards, rewardsProblem, steps }: RewardedTrial): FoundReward {
  if (rewardsProblem !== null) return refuse("rewards_invalid", rewardsProblem, "result.json");
  if (rewards === null) {
    return {
      kind: "absent",
      origin: { from: null, rule: "The verifier left no reward, which counts as 0.0." },
    };
  }
  const found = selectReward(rewards, "result.json");
  if (found.kind !== "found" || steps === null) return found;
  return { ...found, origin: { ...found.origin, rule: "Harbor computed it from the steps' rewards." } };
}

/** Reads reward.json by the contract, but its keys as Harbor does. */
function readRewardJson({ file, bytes }: FileOfTrial, { rewardFile }: RewardedTrial): FoundReward {
  const isJson = rewardFile.kind === "read" && rewardFile.file === "reward.json";
  const rewards = isJson ? rewardFile.rewards : null;
  if (rewards !== null && !rewards.has("reward")) return selectReward(rewards, file);
  const artifacts = { reward: bytes, details: null, outputParseable: true, schemaValid: true };
  const strict = ingestVerifierArtifacts({ ...artifacts, strictness: "strict" });
  if (!strict.ok && strict.issues.some(({ code }) => code === "missing")) return refuseKeys([], file);
  const read = ingestVerifierArtifacts(artifacts);
  if (!read.ok) {
    const [issue] = read.issues;
    return refuse(issue?.code ?? "unreadable", issue?.message ?? "The reward cannot be read.", file);
  }
  const { reward, validity } = read.value;
  const rule = "The file has null, which is no reward and counts as 0.0.";
  if (!validity.verifier_completed) return { kind: "absent", origin: { from: file, rule } };
  return { kind: "found", reward, origin: { from: file, rule: "As recorded." } };
}

function selectReward(rewards: RewardDict, file: string): FoundReward {
  const headline = selectHeadlineReward(rewards);
  if (headline === null) return refuseKeys([...rewards.keys()], file);
  const { key, value } = headline;
  const rule = key === "reward" ? "As recorded." : `The only key is "${key}".`;
  return { kind: "found", reward: Number(value), origin: { from: file, rule } };
}

function refuseKeys(keys: readonly string[], file: string): FoundReward {
  const names = keys.slice(0, 5).map((key) => `"${key}"`);
  const words = keys.length === 0 ? "It has no key" : `Its keys are ${names.join(", ")}`;
  return refuse(
    "reward_key_absent",
    `${words}: none is "reward", so it is unknown which one counts. Write the trial's reward as "reward".`,
    file,
  );
}

function refuse(code: string, message: string, file: string | null): FoundReward {
  const rule = "There is no reward to evaluate.";
  return { kind: "none", origin: { from: file, rule }, issue: { code, field: "reward", file, message } };
}

const STATE_ISSUES = {
  running: "trial_running",
  missing: "trial_without_result",
  unreadable: "trial_unreadable",
} as const;

const NOT_FINISHED = {
  running: "The trial is still running.",
  missing: "The trial left no result.",
  unreadable: "The trial's result.json cannot be read; the load report says why.",
} as const;
