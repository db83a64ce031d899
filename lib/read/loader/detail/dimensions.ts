import type { BreakdownCriterion, BreakdownDimension } from "@/lib/core/domain/breakdown";

import {
  isObject,
  listOr,
  parseJsonText,
  pickBoolean,
  pickNumber,
  pickText,
  pickTexts,
  type JsonObject,
  objectOr,
} from "./json-shape";

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

function parseCriterion(criterion: JsonObject): BreakdownCriterion {
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

function tallyCriteria(
  criteria: readonly BreakdownCriterion[],
): Pick<BreakdownDimension, "criteria" | "nCriteria" | "nMet"> {
  const isJudged = criteria.every(({ satisfied }) => satisfied !== null);
  const nMet = criteria.filter(({ satisfied }) => satisfied).length;
  return { criteria, nCriteria: criteria.length, nMet: isJudged ? nMet : null };
}

function emptyDimension(name: string, weight: number | null): BreakdownDimension {
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
function readScore(value: unknown, maxScore: number | null): ScoreParts {
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

const NOT_DIMENSIONS = new Set([
  "reward",
  "error_taxonomy",
  "error_tags",
  "validity",
  "confidence",
  "annotations",
]);
const ROW_FIELDS = [
  "max_score",
  "maxScore",
  "evidence",
  "eval_method",
  "satisfied",
  "unsatisfied",
  "items",
  "criteria",
];

/** Parses every shape that verifiers write. Text, lists and null stay raw JSON. Skips a scalar `reward`. */
export function parseDetails(root: JsonObject): readonly BreakdownDimension[] {
  return parseMembers(root, NOT_DIMENSIONS, 0);
}

function parseMembers(
  object: JsonObject,
  left: ReadonlySet<string>,
  depth: number,
): readonly BreakdownDimension[] {
  const entries = Object.entries(object).filter(
    ([name, value]) => !left.has(name) || (name === "reward" && isObject(value)),
  );
  const counts = entries.some(([, value]) => typeof value === "number" && (value > 1 || value < 0));
  return entries.map(([name, value]) => parseMember(name, value, counts, depth));
}

function parseMember(name: string, value: unknown, counts: boolean, depth: number): BreakdownDimension {
  if (typeof value === "number" || typeof value === "boolean") return parseBare(name, value, counts);
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") {
    return { ...emptyDimension(name, null), ...readScore(value, null) };
  }
  if (!isObject(value) || depth > MAX_DEPTH)
    return { ...emptyDimension(name, null), rawJson: JSON.stringify(value, null, 2) };
  if ("score" in value || ROW_FIELDS.some((field) => field in value)) return parseRow(name, value);
  const children = parseMembers(value, new Set(), depth + 1);
  return { ...emptyDimension(name, null), children, nChildren: children.length };
}

function parseBare(name: string, value: number | boolean, counts: boolean): BreakdownDimension {
  const parts = readScore(value, null);
  const share =
    typeof value === "boolean" || (value >= 0 && value <= 1 && !(counts && Number.isInteger(value)));
  return { ...emptyDimension(name, null), ...parts, normalised: share ? parts.score : null };
}

function parseRow(name: string, row: JsonObject): BreakdownDimension {
  const stated = pickNumber(row, "max_score", "maxScore", "max");
  const parts = readScore(row["score"], stated);
  const bare = stated === null && parts.score !== null && parts.score >= 0 && parts.score <= 1;
  return {
    ...emptyDimension(name, pickNumber(row, "weight")),
    ...parts,
    normalised: bare ? parts.score : parts.normalised,
    evidence: pickText(row, "evidence", "reason", "reasoning", "explanation", "message"),
    method: pickText(row, "eval_method", "eval_method_used", "method", "kind"),
    warnings: pickTexts(row, "warnings"),
    ...tallyCriteria([
      ...namedCriteria(row, "satisfied", true),
      ...namedCriteria(row, "unsatisfied", false),
      ...itemCriteria(row),
    ]),
  };
}

function namedCriteria(row: JsonObject, field: string, satisfied: boolean): readonly BreakdownCriterion[] {
  return listOr(row[field]).map((entry) => ({ ...parseListed(entry), satisfied }));
}

function itemCriteria(row: JsonObject): readonly BreakdownCriterion[] {
  const items = row["items"] ?? row["criteria"];
  if (isObject(items)) {
    return Object.entries(items).map(([name, value]) => parseCriterion({ value, name, ...objectOr(value) }));
  }
  return listOr(items).map(parseListed);
}

function parseListed(entry: unknown): BreakdownCriterion {
  return parseCriterion(isObject(entry) ? entry : { name: textOrNull(entry) ?? "criterion" });
}

export function pickValidity(root: JsonObject, name: string): boolean | null {
  return pickBoolean(objectOr(root["validity"]), name) ?? pickBoolean(root, name);
}

export const MAX_CHECKS_BYTES = 1024 * 1024;
const MAX_FILES = 8;
const OTHERS = new Set(["reward.json", "ctrf.json", "reward-details.json", "details.json"]);

export function selectChecksFiles(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => name.endsWith(".json") && !OTHERS.has(name))
    .sort()
    .slice(0, MAX_FILES);
}

export function readChecksRoot(text: string): JsonObject | null {
  if (!text.includes('"checks"')) return null;
  const root = parseJsonText(text);
  return isObject(root) && parseChecks(root).length > 0 ? root : null;
}

export function parseChecks(root: JsonObject): readonly BreakdownDimension[] {
  return listOr(root["checks"]).flatMap((entry) => {
    if (!isObject(entry)) return [];
    const name = pickText(entry, "check", "name", "id");
    const isMet = ["ok", "passed", "pass"].map((key) => pickBoolean(entry, key)).find((met) => met !== null);
    if (name === null || isMet === undefined) return [];
    const evidence = pickText(entry, "why", "reason", "message", "detail");
    return [{ ...emptyDimension(name, null), ...readScore(isMet, 1), evidence, method: "check" }];
  });
}
