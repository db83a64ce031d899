import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { ArtifactEntry, ArtifactManifest, TrialAnalysis } from "@/lib/core/domain/trial-file";

import { isObject, type JsonObject, objectOr, pickText, pickTexts } from "./json-shape";
import { chooseStepFolders } from "./list-trial-files";
import { readTextInside } from "./open-inside";
import { parseLooseJson } from "./parse-loose-json";

export interface Reading<T> {
  readonly value: T;
  readonly issues: readonly LoadIssue[];
}

async function readJson(trialPath: string, file: string): Promise<Reading<unknown>> {
  const text = await readTextInside(trialPath, file);
  if (text === null) return { value: null, issues: [] };
  const parsed = text.ok ? parseLooseJson(text.value, file) : text;
  return parsed.ok ? { value: parsed.value, issues: [] } : { value: null, issues: [parsed.issue] };
}

export async function readAnalysis(trialPath: string): Promise<Reading<TrialAnalysis | null>> {
  const { value, issues } = await readJson(trialPath, "analysis.json");
  return { value: parseAnalysis(value), issues };
}

export function parseAnalysis(value: unknown): TrialAnalysis | null {
  if (!isObject(value)) return null;
  const checks = Object.entries(objectOr(value["checks"])).map(([name, check]) =>
    parseCheck(name, objectOr(check)),
  );
  return { summary: pickText(value, "summary"), checks, nChecks: checks.length };
}

/**
 * Reads the entries by trial or task of a `harbor analyze` or `harbor check` report in a job's folder, in file order.
 * @see harbor 0.24.0 src/harbor/analyze/models.py, `AnalyzeReport`; src/harbor/cli/quality_checker/models.py, `CheckReport`
 */
export async function readJobReport(jobPath: string, purpose: "analysis" | "check") {
  const [file, name] =
    purpose === "analysis" ? ["analysis.json", "trial_name"] : ["check_report.json", "task_name"];
  const { value, issues } = await readJson(jobPath, file);
  const results = isObject(value) ? value["results"] : null;
  if (!Array.isArray(results)) return { file, value: [], issues };
  const entries = results.filter(isObject).flatMap((result) => {
    const subject = pickText(result, name);
    const analysis = parseAnalysis(result);
    return subject === null || analysis === null
      ? []
      : { subject, error: pickText(result, "error"), analysis };
  });
  return { file, value: entries, issues };
}

const OUTCOMES = ["pass", "fail", "not_applicable"] as const;

function parseCheck(name: string, check: JsonObject): TrialAnalysis["checks"][number] {
  const outcome = OUTCOMES.find((one) => one === check["outcome"]) ?? "other";
  return { name, outcome, explanation: pickText(check, "explanation") };
}

/** Skips files that are not a list. @param stepNames - in run order; null if unknown */
export async function readArtifactManifests(
  trialPath: string,
  stepNames: readonly string[] | null,
): Promise<readonly ArtifactManifest[]> {
  const steps = await chooseStepFolders(trialPath, stepNames);
  const manifests: ArtifactManifest[] = [];
  for (const folder of ["", ...steps.map((step) => `steps/${step}/`)]) {
    const file = `${folder}artifacts/manifest.json`;
    const { value } = await readJson(trialPath, file);
    if (Array.isArray(value)) manifests.push({ file, entries: value.filter(isObject).map(toArtifact) });
  }
  return manifests;
}

function toArtifact(row: JsonObject): ArtifactEntry {
  return {
    source: pickText(row, "source"),
    destination: pickText(row, "destination"),
    type: pickText(row, "type"),
    status: pickText(row, "status"),
    service: pickText(row, "service"),
    exclude: Array.isArray(row["exclude"]) ? pickTexts(row, "exclude").join(", ") : null,
  };
}
