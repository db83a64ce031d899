import type { BreakdownDimension } from "@/lib/domain/breakdown";

import { isObject, type JsonObject, listOr, parseJsonText, pickBoolean, pickText } from "./json-shape";
import { emptyDimension, readScore } from "./parse-reward-details";

/** Larger reports of checks are not read. */
export const MAX_CHECKS_BYTES = 1024 * 1024;
/** Files of one verifier's folder that are looked at for checks. */
const MAX_FILES = 8;
/** What has a reader of its own. */
const OTHERS = new Set(["reward.json", "ctrf.json", "reward-details.json", "details.json"]);

/** Files of a verifier's folder that may report checks: the first eight JSON files by name without a reader of their own. */
export function selectChecksFiles(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => name.endsWith(".json") && !OTHERS.has(name))
    .sort()
    .slice(0, MAX_FILES);
}

/** The object of a file whose `checks` is a list of named checks with a verdict each; null for anything else. */
export function readChecksRoot(text: string): JsonObject | null {
  // Most other files are data of a verifier's own, and no one's report.
  if (!text.includes('"checks"')) return null;
  const root = parseJsonText(text);
  return isObject(root) && parseChecks(root).length > 0 ? root : null;
}

/** The checks of a verifier's report as dimensions of 0 or 1, in file order, with `why` as evidence; entries without name or verdict are left out. */
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
