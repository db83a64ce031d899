import type { Annotation } from "@/lib/core/domain/annotation";
import type { ValidityGate, GateDoubt } from "@/lib/core/domain/breakdown";
import type { EvaluationFiles, DetailsOfTrial } from "@/lib/core/domain/evaluation-files";
import type { Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import { tellsCancelled } from "@/lib/core/domain/verifier-check";
import {
  type Contract,
  type EvaluationResult,
  parseEvaluationResult,
  ingestVerifierArtifacts,
  type JsonObject,
} from "@/lib/core/evaluation";

import { findAdjudication, findJudgments } from "./find-judgments";
import { findReward, type FoundReward, type RewardedTrial } from "./find-reward";
import { findTags } from "./find-tags";
import type { EvaluationFault, Provenance, TrialDecision, TrialEvaluation } from "./types";

interface EvaluationInput {
  readonly trial: GatedTrial & RewardedTrial;
  readonly files: EvaluationFiles;
  /** Judgments of Assay's own store that count. They are added and change no reward. */
  readonly judgments: readonly Annotation[];
  /** Decision over these judgments; absent or null without one. */
  readonly decision?: TrialDecision | null | undefined;
  readonly contract?: Contract | undefined;
}

const MISSING_REWARD = "missing verifier reward artifact";

/**
 * Returns a trial's evaluation under the contract (README.md has the mapping): valid or null, and never with an invented reward.
 * An unknown gate makes it partial: true would claim knowledge, false would accuse the agent.
 */
export function evaluateTrial({
  trial,
  files,
  judgments,
  decision,
  contract,
}: EvaluationInput): TrialEvaluation {
  const reward = findReward(trial, files);
  const gates = findGates(trial, files, reward);
  const breakdown = findBreakdown(files);
  const tags = findTags(trial, files, judgments);
  const adjudication = findAdjudication(judgments, decision);
  const people = findJudgments(files, judgments, adjudication);
  const fields = {
    breakdown: breakdown.breakdown,
    error_taxonomy: tags.tags,
    confidence: people.confidence,
    annotations: people.annotations,
  };
  const { issues, ...found } = validate(reward, gates, fields, contract);
  return {
    ...found,
    unknown: [
      ...gates.filter(({ met }) => met === null).map(({ name }) => `validity.${name}`),
      ...listNulls(fields),
    ],
    provenance: {
      reward: reward.origin,
      ...readGates(gates, (_, gate): Provenance => ({ from: gate?.file ?? null, rule: gate?.basis ?? "" })),
      breakdown: breakdown.origin,
      error_taxonomy: tags.origins,
      confidence: people.confidenceOrigin,
      annotations: people.origins,
    },
    adjudication,
    gates,
    issues: [...issues, ...breakdown.issues, ...people.issues, ...listFileIssues(files, issues)],
  };
}

/** Validates the evaluation as if unknown gates were met; both null with issues without a reward or where a rule is broken. */
function validate(
  reward: FoundReward,
  gates: readonly ValidityGate[],
  fields: object,
  contract: Contract | undefined,
): Pick<TrialEvaluation, "evaluation" | "partial" | "issues"> {
  if (reward.kind === "none") return { evaluation: null, partial: null, issues: [reward.issue] };
  const parsed = parseEvaluationResult(
    {
      reward: reward.kind === "found" ? reward.reward : 0,
      validity: {
        ...readGates(gates, (met) => met ?? true),
        errors: reward.kind === "absent" ? [MISSING_REWARD] : [],
      },
      ...fields,
    },
    { contract },
  );
  if (parsed.ok) return { ...splitByGates(parsed.value, gates), issues: [] };
  const issues = parsed.issues.map(({ path, code, message }) => {
    const field = path.join(".");
    return { code, field, file: field === "reward" || field === "" ? reward.origin.from : null, message };
  });
  return { evaluation: null, partial: null, issues };
}

function readGates<T>(gates: readonly ValidityGate[], read: (met: boolean | null, gate?: ValidityGate) => T) {
  const readGate = (name: ValidityGate["name"]): T => {
    const gate = gates.find((one) => one.name === name);
    return read(gate?.met ?? null, gate);
  };
  return {
    output_parseable: readGate("output_parseable"),
    schema_valid: readGate("schema_valid"),
    verifier_completed: readGate("verifier_completed"),
  };
}

function splitByGates(
  result: EvaluationResult,
  gates: readonly ValidityGate[],
): Pick<TrialEvaluation, "evaluation" | "partial"> {
  if (gates.every(({ met }) => met !== null)) return { evaluation: result, partial: null };
  const validity = readGates(gates, (met) => met);
  return {
    evaluation: null,
    partial: { ...result, validity: { ...validity, errors: result.validity.errors } },
  };
}

export function listNulls(parts: object): string[] {
  return Object.entries(parts).flatMap(([name, value]) => (value === null ? [name] : []));
}

function listFileIssues({ issues }: EvaluationFiles, named: readonly EvaluationFault[]): EvaluationFault[] {
  return issues
    .filter(({ path }) => named.every(({ file }) => file !== path))
    .map(({ code, path, detail }) => ({ code, field: fieldOf(path), file: path, message: detail }));
}

function fieldOf(file: string): string {
  if (file === "analysis.json") return "error_taxonomy";
  if (file.endsWith("/reward.json")) return "reward";
  return file.endsWith("details.json") ? "breakdown" : "validity";
}

/**
 * Returns the breakdown of a trial and its steps: `details.json`, else `reward-details.json`; null without a readable one. A
 * broken file does not affect the reward.
 */
function findBreakdown({ details }: EvaluationFiles) {
  const issues: EvaluationFault[] = [];
  const read: { readonly place: DetailsOfTrial; readonly value: JsonObject }[] = [];
  for (const place of details) {
    const value = readDetails(place, issues);
    if (value !== null) read.push({ place, value });
  }
  const own = read.find(({ place }) => place.step === null);
  const steps = read.flatMap(({ place, value }) =>
    place.step === null ? [] : [[place.step, value] as const],
  );
  if (own !== undefined) {
    return { breakdown: own.value, origin: { from: own.place.file, rule: "As recorded." }, issues };
  }
  if (steps.length > 0) {
    const from = read.map(({ place }) => place.file).join(", ");
    const origin = { from, rule: "As recorded, by step name." };
    return { breakdown: Object.fromEntries(steps), origin, issues };
  }
  return { breakdown: null, origin: { from: null, rule: "No verifier wrote a readable one." }, issues };
}

function readDetails({ file, bytes }: DetailsOfTrial, issues: EvaluationFault[]): JsonObject | null {
  const known = { reward: null, outputParseable: true, schemaValid: true };
  const read = ingestVerifierArtifacts({ ...known, details: bytes });
  if (read.ok) return read.value.breakdown;
  for (const { code, message } of read.issues) issues.push({ code, field: "breakdown", file, message });
  return null;
}

type GatedTrial = Pick<Trial, "state" | "rewardFile" | "exception" | "steps">;

/**
 * Returns the three validity gates of a trial: from `details.json`, else from the agent's own file and the presence of rewards,
 * else unknown. A log that contradicts a reward becomes a doubt.
 * @see aec-bench, harbor_importing/core, without its rules for trials with an exception and for JSON Lines
 */
function findGates(trial: GatedTrial, files: EvaluationFiles, reward: FoundReward): readonly ValidityGate[] {
  const output = (name: ValidityGate["name"]) =>
    findStated(name, files) ?? inferFromOutput(name, trial, files);
  // By the contract a verifier that left no reward did not complete, even if its details claim so.
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
    : { name, met: stated.value, basis: `From ${stated.file}.`, file: stated.file };
}

function inferFromOutput(name: ValidityGate["name"], trial: GatedTrial, { output }: EvaluationFiles): Gate {
  if (trial.state !== "finished" || output === null) {
    return { name, met: null, basis: "Not in any file of this trial.", file: null };
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
  const basis = "There is no reward file and no reward in result.json.";
  return { name, met: false, basis: file === null ? basis : reward.origin.rule, file };
}
