import type { BreakdownCriterion, BreakdownDimension } from "@/lib/core/domain/breakdown";

import { isObject, listOr, parseJsonText, pickBoolean, pickNumber, pickText, pickTexts } from "./json-shape";
import type { JsonObject } from "./json-shape";

const MAX_DEPTH = 8;

/**
 * Parses leaves, lists of leaves and groups of weighted components. Anything else stays raw JSON.
 * @see harbor 0.13.1 packages/rewardkit
 */
export function parseRewardDetails(root: JsonObject): readonly BreakdownDimension[] {
  return Object.entries(root).map(([name, entry]) => parseEntry(name, entry, null, 0));
}

function parseEntry(name: string, entry: unknown, weight: number | null, depth: number): BreakdownDimension {
  if (depth <= MAX_DEPTH) {
    if (Array.isArray(entry)) return parseLeaves(name, entry, weight, depth);
    if (isObject(entry) && entry["kind"] === "group") return parseGroup(name, entry, weight, depth);
    if (isObject(entry) && "score" in entry) return parseLeaf(name, entry, weight);
    if (typeof entry === "number" || typeof entry === "boolean") {
      return { ...emptyDimension(name, weight), ...readScore(entry, 1) };
    }
  }
  return { ...emptyDimension(name, weight), rawJson: JSON.stringify(entry, null, 2) };
}

function parseLeaves(
  name: string,
  leaves: readonly unknown[],
  weight: number | null,
  depth: number,
): BreakdownDimension {
  const children = leaves.map((leaf, i) => parseEntry(`${name} ${i + 1}`, leaf, null, depth + 1));
  return { ...emptyDimension(name, weight), children, nChildren: children.length };
}

function parseGroup(
  name: string,
  group: JsonObject,
  weight: number | null,
  depth: number,
): BreakdownDimension {
  const components = listOr(group["components"]).filter(isObject);
  const threshold = pickNumber(group, "threshold");
  const method = pickText(group, "aggregation");
  return {
    ...emptyDimension(name, weight),
    ...readScore(group["score"], 1),
    method: threshold === null || method === null ? method : `${method} ${threshold}`,
    warnings: pickTexts(group, "warnings"),
    children: components.map((component, i) =>
      parseEntry(
        pickText(component, "name") ?? `${name} ${i + 1}`,
        component["detail"],
        pickNumber(component, "weight"),
        depth + 1,
      ),
    ),
    nChildren: components.length,
  };
}

function parseLeaf(name: string, leaf: JsonObject, weight: number | null): BreakdownDimension {
  return {
    ...emptyDimension(name, weight ?? pickNumber(leaf, "weight")),
    ...readScore(leaf["score"], 1),
    method: pickText(leaf, "kind"),
    evidence: pickText(leaf, "evidence", "reasoning") ?? readJudgeWords(pickText(leaf, "judge_output")),
    warnings: pickTexts(leaf, "warnings"),
    ...tallyCriteria(listOr(leaf["criteria"]).filter(isObject).map(parseCriterion)),
  };
}

function readJudgeWords(answer: string | null): string | null {
  if (answer === null || !/^\s*[{[]/u.test(answer)) return answer;
  const parsed = parseJsonText(answer);
  const parts = isObject(parsed) ? [parsed, ...Object.values(parsed)] : listOr(parsed);
  const reasons = parts.filter(isObject).flatMap((part) => pickText(part, "reasoning", "explanation") ?? []);
  return reasons.length === 0 ? answer : reasons.join(" ");
}

export function parseCriterion(criterion: JsonObject): BreakdownCriterion {
  const met = ["satisfied", "passed", "pass", "met", "ok"].map((name) => pickBoolean(criterion, name));
  const value = pickNumber(criterion, "value", "score") ?? pickBoolean(criterion, "value");
  return {
    name: pickText(criterion, "name", "id", "title", "text", "check") ?? "criterion",
    value: typeof value === "boolean" ? Number(value) : value,
    weight: pickNumber(criterion, "weight"),
    satisfied: met.find((entry) => entry !== null) ?? (typeof value === "boolean" ? value : null),
    description: pickText(criterion, "description", "detail", "message"),
    reasoning: pickText(criterion, "reasoning", "evidence", "explanation"),
    error: textOrNull(criterion["error"]),
  };
}

export function tallyCriteria(
  criteria: readonly BreakdownCriterion[],
): Pick<BreakdownDimension, "criteria" | "nCriteria" | "nMet"> {
  const isJudged = criteria.every(({ satisfied }) => satisfied !== null);
  const nMet = criteria.filter(({ satisfied }) => satisfied).length;
  return { criteria, nCriteria: criteria.length, nMet: isJudged ? nMet : null };
}

export function emptyDimension(name: string, weight: number | null): BreakdownDimension {
  return {
    name,
    score: null,
    scoreText: null,
    maxScore: null,
    normalised: null,
    clamped: false,
    weight,
    evidence: null,
    method: null,
    warnings: [],
    ...tallyCriteria([]),
    children: [],
    nChildren: 0,
    rawJson: null,
  };
}

type ScoreParts = Pick<BreakdownDimension, "score" | "scoreText" | "maxScore" | "normalised" | "clamped">;

/** Booleans count as 0 and 1. There is no share without a `maxScore` above 0. */
export function readScore(value: unknown, maxScore: number | null): ScoreParts {
  const scoreText =
    value === null || value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);
  const number = typeof value === "boolean" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    return { score: null, scoreText, maxScore, normalised: null, clamped: false };
  }
  const share = maxScore === null || maxScore <= 0 ? null : number / maxScore;
  const normalised = share === null ? null : Math.min(1, Math.max(0, share));
  return { score: number, scoreText, maxScore, normalised, clamped: normalised !== share };
}

export function textOrNull(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
