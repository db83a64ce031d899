import type { BreakdownDimension } from "@/lib/core/domain/breakdown";

import { isObject, type JsonObject, listOr, parseJsonText, pickBoolean, pickText } from "./json-shape";
import { emptyDimension, readScore } from "./parse-reward-details";

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
