import type { BreakdownCriterion, BreakdownDimension } from "@/lib/core/domain/breakdown";

import { isObject, listOr, objectOr, pickBoolean, pickNumber, pickText, pickTexts } from "./json-shape";
import type { JsonObject } from "./json-shape";
import { emptyDimension, parseCriterion, readScore, tallyCriteria, textOrNull } from "./parse-reward-details";

const MAX_DEPTH = 8;
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
  return listOr(row[field]).map((entry) => ({ ...parseEntry(entry), satisfied }));
}

function itemCriteria(row: JsonObject): readonly BreakdownCriterion[] {
  const items = row["items"] ?? row["criteria"];
  if (isObject(items)) {
    return Object.entries(items).map(([name, value]) => parseCriterion({ value, name, ...objectOr(value) }));
  }
  return listOr(items).map(parseEntry);
}

function parseEntry(entry: unknown): BreakdownCriterion {
  return parseCriterion(isObject(entry) ? entry : { name: textOrNull(entry) ?? "criterion" });
}

export function pickValidity(root: JsonObject, name: string): boolean | null {
  return pickBoolean(objectOr(root["validity"]), name) ?? pickBoolean(root, name);
}
