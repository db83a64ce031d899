import type { Annotation } from "@/lib/core/domain/annotation";
import type { ValidityGate } from "@/lib/core/domain/breakdown";
import type { EvaluationFiles } from "@/lib/core/domain/evaluation-files";
import { type Contract, type EvaluationResult, parseEvaluationResult } from "@/lib/core/evaluation";

import { findBreakdown } from "./find-breakdown";
import { findGates, type GatedTrial } from "./find-gates";
import { findAdjudication, findJudgments } from "./find-judgments";
import { findReward, type FoundReward, type RewardedTrial } from "./find-reward";
import { findTags } from "./find-tags";
import type { EvaluationFault, Provenance, TrialDecision, TrialEvaluation } from "./types";

export interface EvaluationInput {
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
