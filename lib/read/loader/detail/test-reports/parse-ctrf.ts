import type { TestCase } from "@/lib/core/domain/trial-file";

import { isObject, type JsonObject, listOr, objectOr, pickNumber, pickText } from "../json-shape";
import { makeReport, type ReadReport, type ReportPlace } from "./report";

// Any time after 1973 is larger in milliseconds, any before the year 5138 is smaller in seconds.
const SECONDS_LIMIT = 1e11;

/** Parses a CTRF report loosely; null without a list of tests. Detects seconds by start times or fractions. */
export function parseCtrf(root: unknown, place: ReportPlace): ReadReport | null {
  const results = objectOr(objectOr(root)["results"]);
  if (!Array.isArray(results["tests"])) return null;
  const entries = listOr(results["tests"]).filter(isObject);
  const unitMs = usesSeconds(objectOr(results["summary"]), entries) ? 1000 : 1;
  const tool = objectOr(results["tool"]);
  const version = pickText(tool, "version");
  const name = pickText(tool, "name");
  return makeReport(
    place,
    { form: "ctrf", tool: name === null || version === null ? name : `${name} ${version}` },
    entries.map((entry) => parseTest(entry, unitMs)),
  );
}

function usesSeconds(summary: JsonObject, tests: readonly JsonObject[]): boolean {
  const start =
    pickNumber(summary, "start") ??
    tests.map((test) => pickNumber(test, "start")).find((time) => time !== null);
  if (typeof start === "number" && start > 0) return start < SECONDS_LIMIT;
  return tests.some((test) => !Number.isInteger(pickNumber(test, "duration") ?? 0));
}

function parseTest(entry: JsonObject, unitMs: number): TestCase {
  const status = entry["status"];
  const duration = pickNumber(entry, "duration");
  return {
    name: pickText(entry, "name") ?? "unnamed test",
    status:
      status === "passed" || status === "failed" || status === "skipped" || status === "pending"
        ? status
        : "other",
    durationMs: duration === null || duration < 0 ? null : duration * unitMs,
    message: pickText(entry, "message"),
    trace: pickText(entry, "trace"),
  };
}
