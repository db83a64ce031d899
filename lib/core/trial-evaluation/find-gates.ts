import type { GateDoubt, ValidityGate } from "@/lib/core/domain/breakdown";
import type { EvaluationFiles } from "@/lib/core/domain/evaluation-files";
import type { TrialRecord } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import { tellsCancelled } from "@/lib/core/domain/verifier-check";

import type { FoundReward } from "./find-reward";

export type GatedTrial = Pick<TrialRecord, "state" | "rewardFile" | "exception" | "steps">;

/**
 * Returns the three validity gates of a trial: from `details.json`, else from the agent's own file and the presence of rewards,
 * else unknown. A log that contradicts a reward becomes a doubt.
 * @see aec-bench, harbor_importing/core, without its rules for trials with an exception and for JSON Lines
 */
export function findGates(
  trial: GatedTrial,
  files: EvaluationFiles,
  reward: FoundReward,
): readonly ValidityGate[] {
  const output = (name: ValidityGate["name"]) =>
    findStated(name, files) ?? inferFromOutput(name, trial, files);
  // By the contract a verifier that left no reward did not complete, whatever its details claim.
  const verifier =
    (reward.kind === "absent" ? null : findStated("verifier_completed", files)) ??
    inferVerifierCompleted(trial, reward);
  return [
    { ...output("output_parseable"), doubt: null },
    { ...output("schema_valid"), doubt: null },
    addDoubt(verifier, findDoubt(trial, files)),
  ];
}

type Gate = Omit<ValidityGate, "doubt">;

/** By the contract a verifier that left a reward completed, but scripts can leave one before they finish. */
function findDoubt(trial: GatedTrial, { unfinished }: EvaluationFiles): GateDoubt | null {
  if (unfinished !== null) {
    const says = tellsCancelled(unfinished)
      ? "the verifier was cancelled"
      : "the verifier died with a traceback";
    return { place: unfinished, says };
  }
  const failure = selectFailure(trial);
  if (failure?.cause !== "verifier") return null;
  return {
    place: { file: "result.json", line: null },
    says: `the verifier raised ${failure.exception.type}`,
  };
}

function addDoubt(gate: Gate, doubt: GateDoubt | null): ValidityGate {
  if (gate.met !== true || doubt === null) return { ...gate, doubt: null };
  const { file, line } = doubt.place;
  const place = line === null ? file : `${file}, line ${line}`;
  return { ...gate, basis: `${gate.basis} But ${doubt.says}: ${place}.`, doubt };
}

function findStated(name: ValidityGate["name"], { flags }: EvaluationFiles): Gate | null {
  const stated = flags.get(name);
  return stated === undefined
    ? null
    : { name, met: stated.value, basis: `Stated in ${stated.file}.`, file: stated.file };
}

function inferFromOutput(name: ValidityGate["name"], trial: GatedTrial, { output }: EvaluationFiles): Gate {
  if (trial.state !== "finished" || output === null) {
    return { name, met: null, basis: "Not stated in any file of this trial.", file: null };
  }
  const { file, isBlank, brokenLine } = output;
  if (isBlank) return { name, met: false, basis: `${file} is empty.`, file };
  if (brokenLine !== null) {
    return { name, met: false, basis: `Line ${brokenLine} of ${file} is not JSON.`, file };
  }
  const failure = selectFailure(trial);
  if (failure === null) {
    return { name, met: true, basis: `${file} exists and the agent ended without an exception.`, file };
  }
  const basis = `${file} exists, but ${failure.exception.type} ended the trial: it may be incomplete.`;
  return { name, met: null, basis, file: null };
}

function inferVerifierCompleted({ state, rewardFile }: GatedTrial, reward: FoundReward): Gate {
  const name = "verifier_completed";
  const file = reward.origin.from;
  if (reward.kind === "found") {
    const basis =
      file === "result.json"
        ? "result.json has rewards; no reward file is left to check."
        : `It wrote ${file ?? ""}.`;
    return { name, met: true, basis, file };
  }
  if (state === "running") return { name, met: null, basis: "The trial is still running.", file: null };
  if (state !== "finished") return { name, met: null, basis: "There is no readable result.", file: null };
  if (rewardFile.kind === "error") {
    const basis = `${rewardFile.file} exists but cannot be used: ${rewardFile.message}`;
    return { name, met: false, basis, file: `verifier/${rewardFile.file}` };
  }
  if (reward.kind === "none") {
    return { name, met: null, basis: "Its reward cannot be determined from what it wrote.", file };
  }
  const basis = "There is neither a reward file nor a reward in result.json.";
  return { name, met: false, basis: file === null ? basis : reward.origin.rule, file };
}
