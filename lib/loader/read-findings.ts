import { readdirSync } from "node:fs";

import type { TrialFindings } from "@/lib/domain/breakdown";
import type { LoadIssue } from "@/lib/domain/load-issue";

import {
  collectFindings,
  DETAILS_KINDS,
  type DetailsFile,
  listVerifierFolders,
  MAX_DETAILS_BYTES,
  parseDetailsFile,
} from "./detail/details-file";
import { selectSteps } from "./detail/load-trajectory-files";
import { parseLooseJson } from "./detail/parse-loose-json";
import { parseAnalysis } from "./detail/read-evidence";
import { readFileBytes } from "./file-access";
import { isFolder, stampFile, statFolder } from "./file-stamp";
import { joinFolder, type LoadRoot, prepareIssue } from "./load-root";

const MAX_ANALYSIS_BYTES = 16 << 20;
/** More than any rubric has; a file of some megabytes can name a hundred thousand. */
const MAX_DIMENSIONS = 1000;

/** What a trial's files say beyond its rewards, and what is wrong with these files. */
export interface FindingsReading {
  readonly findings: TrialFindings;
  /** Files that are there and could not be read; paths begin with the root's label. */
  readonly issues: readonly LoadIssue[];
}

/**
 * Reads a trial's verifier details and analysis for what every page counts of them: shares by dimension and error tags.
 * Files that are absent add nothing; broken ones add an issue.
 *
 * @param folder - the trial's, relative to the root
 * @param stepNames - of a multi-step trial in the order they ran; null for what lies in `steps/`
 * @remarks Costs four looks at a trial that has none of these files.
 */
export function readTrialFindings(
  root: LoadRoot,
  folder: string,
  stepNames: readonly string[] | null,
): FindingsReading {
  const issues: LoadIssue[] = [];
  const read = (file: string, maxBytes: number): string | null => {
    const path = joinFolder(folder, file);
    // Looks before opening: most trials have one of these files at most, and a failed opening costs four times a look.
    if (stampFile(root, path) === "") return null;
    const bytes = readFileBytes(root, path, maxBytes);
    if (bytes.kind === "refused") issues.push(bytes.issue);
    return bytes.kind === "read" ? bytes.bytes.toString("utf8") : null;
  };
  const report = ({ code, path, detail }: LoadIssue) =>
    issues.push(prepareIssue(root, code, joinFolder(folder, path), detail));
  const files: DetailsFile[] = [];
  for (const { folder: verifier, step } of listVerifierFolders(listSteps(root, folder, stepNames))) {
    if (!statFolder(root, joinFolder(folder, verifier)).canEnter) continue;
    for (const kind of DETAILS_KINDS) {
      const file = `${verifier}/${kind}.json`;
      const text = read(file, MAX_DETAILS_BYTES);
      if (text === null) continue;
      const parsed = parseDetailsFile(text, { file, step, kind });
      if (!parsed.ok) report(parsed.issue);
      else if (parsed.value !== null) files.push(parsed.value);
    }
  }
  const text = read("analysis.json", MAX_ANALYSIS_BYTES);
  const analysis = text === null ? null : parseLooseJson(text, "analysis.json");
  if (analysis?.ok === false) report(analysis.issue);
  const findings = collectFindings(files, analysis?.ok ? parseAnalysis(analysis.value) : null);
  const { size } = findings.dimensions;
  if (size <= MAX_DIMENSIONS) return { findings, issues };
  const detail = `${size} dimensions are named. The first ${MAX_DIMENSIONS} were counted.`;
  for (const { file: path } of files.slice(0, 1)) report({ code: "dimensions_too_many", path, detail });
  const dimensions = new Map([...findings.dimensions].slice(0, MAX_DIMENSIONS));
  return { findings: { ...findings, dimensions }, issues };
}

function listSteps(root: LoadRoot, folder: string, stepNames: readonly string[] | null): readonly string[] {
  const steps = joinFolder(folder, "steps");
  if (stepNames?.length === 0 || !isFolder(root, steps)) return [];
  try {
    return selectSteps(readdirSync(`${root.path}/${steps}`, { withFileTypes: true }), stepNames);
  } catch {
    // It was there a moment ago; the next look at the trial sees what became of it.
    return [];
  }
}
