import { findTooManyValues, MOST_TRIAL_VALUES } from "@/lib/core/domain/count-values";
import type { DetailsOfTrial, EvaluationFiles, FileOfTrial } from "@/lib/core/domain/evaluation-files";
import type { LoadIssue } from "@/lib/core/domain/load-issue";

import { OUTPUT_FILES, OUTPUT_FOLDERS } from "../harbor/read-output";
import { findVerifierCrash, findCancelledVerifier } from "../harbor/trial-log";
import {
  type DetailsFile,
  listVerifierFolders,
  parseDetailsFile,
  parseErrorTags,
  tagsFromAnalysis,
} from "./details-file";
import { pickValidity } from "./dimensions";
import { chooseStepFolders } from "./list-trial-files";
import { readBytesInside } from "./open-inside";
import { parseLooseJson } from "./parse-loose-json";
import { readAnalysis } from "./read-evidence";

/** Outputs above this size count as non-empty without a search. */
const MAX_OUTPUT_BYTES = 1 << 20;
const FLAGS = ["output_parseable", "schema_valid", "verifier_completed"] as const;

const OUTPUTS = OUTPUT_FOLDERS.flatMap((folder) => OUTPUT_FILES.map((name) => `${folder}/${name}`));

/** Absent files add nothing, invalid ones an issue. @param withLogs - true to search the verifier's logs for a crash */
export async function readEvaluationFiles(
  trialPath: string,
  stepNames: readonly string[] | null,
  withLogs = false,
): Promise<EvaluationFiles> {
  const issues: LoadIssue[] = [];
  const reward = await readBytes(trialPath, "verifier/reward.json", issues);
  const details: DetailsOfTrial[] = [];
  const parsed: DetailsFile[] = [];
  const steps = await chooseStepFolders(trialPath, stepNames);
  const root = { index: 0, label: "", path: trialPath };
  for (const { folder, step } of listVerifierFolders(steps)) {
    for (const kind of ["details", "reward-details"] as const) {
      const found = await readBytes(trialPath, `${folder}/${kind}.json`, issues);
      if (found === null) continue;
      const { file, bytes } = found;
      details.push({ ...found, step });
      const read = parseDetailsFile(Buffer.from(bytes).toString("utf8"), { file, step, kind });
      if (read.ok && read.value !== null) parsed.push(read.value);
      break;
    }
  }
  const analysis = await readAnalysis(trialPath);
  issues.push(...analysis.issues);
  const judged = tagsFromAnalysis(analysis.value).map((value) => ({ value, file: "analysis.json" }));
  return {
    reward,
    details,
    flags: collectFlags(parsed),
    tags: [
      ...parsed.flatMap(({ root, file }) => parseErrorTags(root).map((value) => ({ value, file }))),
      ...judged,
    ],
    tagFiles: [
      ...parsed
        .filter(({ root }) => Array.isArray(root["error_taxonomy"]) || Array.isArray(root["error_tags"]))
        .map(({ file }) => file),
      ...(analysis.value === null ? [] : ["analysis.json"]),
    ],
    confidence: findConfidence(parsed),
    output: await readOutput(trialPath, issues),
    unfinished: withLogs
      ? findVerifierCrash(root, "", steps)
      : (findCancelledVerifier(root, "")?.place ?? null),
    issues,
  };
}

async function readBytes(trialPath: string, file: string, issues: LoadIssue[]): Promise<FileOfTrial | null> {
  const read = await readBytesInside(trialPath, file);
  if (read === null) return null;
  // In any encoding of the content, JSON structure is ASCII.
  const issue = read.ok
    ? findTooManyValues(read.value.toString("latin1"), file, MOST_TRIAL_VALUES)
    : read.issue;
  if (issue !== null) issues.push(issue);
  return read.ok && issue === null ? { file, bytes: read.value } : null;
}

async function readOutput(trialPath: string, issues: LoadIssue[]): Promise<EvaluationFiles["output"]> {
  for (const file of OUTPUTS) {
    const read = await readBytesInside(trialPath, file, MAX_OUTPUT_BYTES);
    if (read === null) continue;
    if (read.ok) {
      const text = read.value.toString("utf8");
      const brokenLine = file.endsWith(".jsonl") ? findBrokenLine(text) : null;
      return { file, isBlank: text.trim() === "", brokenLine };
    }
    if (read.issue.code === "file_too_large") return { file, isBlank: false, brokenLine: null };
    issues.push(read.issue);
  }
  return null;
}

/** Returns the first line, from 1, that Python's json rejects. Skips blank lines. */
function findBrokenLine(text: string): number | null {
  const isBroken = (line: string): boolean => {
    const parsed = parseLooseJson(line, "");
    return !parsed.ok && parsed.issue.code === "json_torn";
  };
  const at = text.split("\n").findIndex(isBroken);
  return at === -1 ? null : at + 1;
}

function collectFlags(files: readonly DetailsFile[]): EvaluationFiles["flags"] {
  return new Map(
    FLAGS.flatMap((name) => {
      for (const { root, file } of files) {
        const value = pickValidity(root, name);
        if (value !== null) return [[name, { value, file }] as const];
      }
      return [];
    }),
  );
}

function findConfidence(files: readonly DetailsFile[]): EvaluationFiles["confidence"] {
  const found = files.find(
    ({ root }) => typeof root["confidence"] === "object" && root["confidence"] !== null,
  );
  return found === undefined ? null : { value: found.root["confidence"], file: found.file };
}
