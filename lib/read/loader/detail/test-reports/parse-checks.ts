import type { TestCase } from "@/lib/core/domain/trial-file";

import { isObject, type JsonObject, pickNumber, pickText } from "../json-shape";
import { makeReport, type ReadReport, type ReportPlace } from "./report";

const LISTS = ["checks", "results", "tests", "criteria"] as const;
const NAMES = ["check", "name", "id", "nodeid", "test", "title"] as const;
const BOOLEANS = ["ok", "passed", "pass", "success"] as const;
const STATUSES = ["status", "outcome", "result", "verdict"] as const;
const REASONS = ["why", "reason", "message", "explanation", "detail", "details", "error"] as const;

const WORDS: ReadonlyMap<string, TestCase["status"]> = new Map([
  ["pass", "passed"],
  ["passed", "passed"],
  ["ok", "passed"],
  ["success", "passed"],
  ["fail", "failed"],
  ["failed", "failed"],
  ["failure", "failed"],
  ["error", "failed"],
  ["skip", "skipped"],
  ["skipped", "skipped"],
  ["not_applicable", "skipped"],
  ["pending", "pending"],
]);

/**
 * Parses `{"checks": [{"check": "builds", "ok": false, "why": "…"}]}`, `{"checks": {"builds": false}}` or a bare list.
 * Returns null for other JSON. Entries without a verdict are `other`.
 */
export function parseChecks(root: unknown, place: ReportPlace): ReadReport | null {
  const tests = readList(root, ["check"]) ?? (isObject(root) ? readMembers(root) : null);
  return tests === null ? null : makeReport(place, { form: "checks", tool: null }, tests);
}

function readMembers(root: JsonObject): readonly TestCase[] | null {
  for (const name of LISTS) {
    const tests = readList(root[name]);
    if (tests !== null) return tests;
  }
  return isObject(root["checks"]) ? readNamed(root["checks"]) : null;
}

function readList(value: unknown, names: readonly string[] = NAMES): readonly TestCase[] | null {
  if (!Array.isArray(value)) return null;
  const entries = value.filter(isObject);
  const named = entries.flatMap((entry) => {
    const name = pickText(entry, ...names);
    return name === null ? [] : [{ name, entry }];
  });
  if (named.length === 0 || named.length < value.length) return null;
  return readChecks(named);
}

function readNamed(checks: JsonObject): readonly TestCase[] | null {
  const named = Object.entries(checks).flatMap(([name, value]) => {
    if (typeof value === "boolean") return [{ name, entry: { ok: value } }];
    return isObject(value) ? [{ name, entry: value }] : [];
  });
  return named.length < Object.keys(checks).length ? null : readChecks(named);
}

function readChecks(
  named: readonly { readonly name: string; readonly entry: JsonObject }[],
): readonly TestCase[] | null {
  const statuses = named.map(({ entry }) => readStatus(entry));
  if (statuses.every((status) => status === null)) return null;
  return named.map(({ name, entry }, at) => {
    const durationMs = pickNumber(entry, "duration_ms");
    return {
      name,
      status: statuses[at] ?? "other",
      durationMs: durationMs === null || durationMs < 0 ? null : durationMs,
      message: pickText(entry, ...REASONS),
      trace: pickText(entry, "trace", "traceback"),
    };
  });
}

function readStatus(entry: JsonObject): TestCase["status"] | null {
  const stated = BOOLEANS.map((name) => entry[name]).find((value) => typeof value === "boolean");
  if (stated !== undefined) return stated ? "passed" : "failed";
  return WORDS.get(pickText(entry, ...STATUSES)?.toLowerCase() ?? "") ?? null;
}
