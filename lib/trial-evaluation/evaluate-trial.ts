import type { Annotation } from "@/lib/domain/annotation";
import type { ValidityGate } from "@/lib/domain/breakdown";
import type { EvaluationFiles } from "@/lib/domain/evaluation-files";
import { type Contract, type EvaluationResult, parseEvaluationResult } from "@/lib/evaluation";

import { findBreakdown } from "./find-breakdown";
import { findGates, type GatedTrial } from "./find-gates";
import { findAdjudication, findJudgments } from "./find-judgments";
import { findReward, type FoundReward, type RewardedTrial } from "./find-reward";
import { findTags } from "./find-tags";
import type { EvaluationFault, Provenance, TrialDecision, TrialEvaluation } from "./types";

export interface EvaluationInput {
  readonly trial: GatedTrial & RewardedTrial;
  readonly files: EvaluationFiles;
  /** The judgments of Assay's own store that count. They are added and change no reward. */
  readonly judgments: readonly Annotation[];
  /** What somebody decided over these; absent or null where nobody did. */
  readonly decision?: TrialDecision | null | undefined;
  readonly contract?: Contract | undefined;
}

/** The contract's own words for a result without a reward. */
const MISSING_REWARD = "missing verifier reward artifact";

/**
 * A trial as the evaluation contract sees it (README.md has the mapping): valid by the contract or null, and never filled
 * with a reward that nobody wrote. Where a gate is unknown there is only a partial one: yes would be taken for knowledge,
 * no would accuse the agent.
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

/**
 * The evaluation, validated as if unknown gates were met; both null with issues without a reward or where a rule is broken.
 */
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

/** What `read` says of each gate, by name. */
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

/** The result as an evaluation where every gate is known, else as a partial one. */
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

/** The names of those parts of an evaluation that nothing states. */
export function listNulls(parts: object): string[] {
  return Object.entries(parts).flatMap(([name, value]) => (value === null ? [name] : []));
}

/** Files that could not be read; one that an issue of the reward names is not named twice. */
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
