import type { TrialDerivedDetails } from "@/lib/core/domain/breakdown";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { summariseTests } from "@/lib/core/domain/tally-tests";
import type { TrialAnalysis } from "@/lib/core/domain/trial-file";

import {
  collectDerivedDetails,
  DETAILS_KINDS,
  type DetailsFile,
  listVerifierFolders,
  parseDetailsFile,
} from "../detail/details-file";
import { MAX_CHECKS_BYTES, readChecksRoot, selectChecksFiles } from "../detail/dimensions";
import { selectSteps } from "../detail/list-trial-files";
import { parseLooseJson } from "../detail/parse-loose-json";
import { parseAnalysis } from "../detail/read-evidence";
import { readTestReports } from "../detail/test-reports/read-test-reports";
import { joinFolder, type LoadRoot, resolveFolder } from "../discover/load-root";
import { FILE_LIMITS, listOrNull, readFileBytes } from "../file-access";
import { findLock, statFolder } from "../file-stamp";
import { FolderReader } from "../folder-reader";
import { enterTrial } from "../large-files";
import { readOutput } from "./read-output";
import { findVerifierCrash } from "./trial-log";

export const NO_DERIVED_DETAILS: TrialDerivedDetails = {
  dimensions: new Map(),
  errorTags: [],
  tests: null,
  hasDetails: false,
  output: { kind: "unknown", reason: "none" },
  crash: null,
  explainsZero: false,
};

/**
 * Reads what other pages count. Absent files add nothing, invalid ones an issue; the trial's own page reports problems of tests.
 * @param stepNames - steps in run order; null uses the folders in `steps/`
 * @param withLogs - true to search the verifier's logs for a crash, see {@link findVerifierCrash}
 */
export async function readTrialDerivedDetails(
  root: LoadRoot,
  folder: string,
  stepNames: readonly string[] | null,
  withLogs = false,
): Promise<{ readonly derivedDetails: TrialDerivedDetails; readonly issues: readonly LoadIssue[] }> {
  const reader = new FolderReader(root, folder);
  const refusal = enterTrial(`${root.path}/${folder}`, "derived-details");
  if (refusal !== null) reader.report("reader_stopped", "", refusal);
  if (refusal !== null || findLock(root, folder) !== null)
    return { derivedDetails: NO_DERIVED_DETAILS, issues: reader.issues };
  const steps = listSteps(reader, stepNames);
  const below = ["", ...steps.map((step) => `steps/${step}/`)];
  for (const part of below) for (const name of ["agent", "artifacts"]) reader.mayEnter(part + name);
  if (stepNames === null) reader.mayEnter("steps");
  const files = readDetails(reader, steps);
  const path = files[0]?.file ?? "analysis.json";
  const place = resolveFolder(root.path, folder);
  const derivedDetails = {
    ...collectDerivedDetails(files, readAnalysis(reader), (code, detail) =>
      reader.report(code, path, detail),
    ),
    tests: place === null ? null : summariseTests((await readTestReports(place, stepNames)).value),
    output: readOutput(root, folder, steps),
    crash: withLogs ? findVerifierCrash(root, folder, steps) : null,
    explainsZero: false,
  };
  return { derivedDetails, issues: reader.issues };
}

function readDetails(reader: FolderReader, steps: readonly string[]): readonly DetailsFile[] {
  const files: DetailsFile[] = [];
  for (const { folder, step } of listVerifierFolders(steps)) {
    if (!statFolder(reader.root, reader.locate(folder)).canEnter) continue;
    for (const kind of DETAILS_KINDS) {
      const file = `${folder}/${kind}.json`;
      const text = readText(reader, file);
      const parsed = text === null ? null : parseDetailsFile(text, { file, step, kind });
      if (parsed?.ok === false) reader.report(parsed.issue.code, file, parsed.issue.detail);
      else if (parsed?.value) files.push(parsed.value);
    }
    const names = listOrNull(reader.root, reader.locate(folder))?.entries.map(({ name }) => name) ?? [];
    for (const name of selectChecksFiles(names)) {
      const file = `${folder}/${name}`;
      // Unreadable files and other JSON are the verifier's own and not reported.
      const read = readFileBytes(reader.root, reader.locate(file), MAX_CHECKS_BYTES);
      const root = read.kind === "read" ? readChecksRoot(read.bytes.toString("utf8")) : null;
      if (root !== null) files.push({ file, step, kind: "checks", root });
    }
  }
  return files;
}

function readAnalysis(reader: FolderReader): TrialAnalysis | null {
  const text = readText(reader, "analysis.json");
  const analysis = text === null ? null : parseLooseJson(text, "analysis.json");
  if (analysis?.ok === false) reader.report(analysis.issue.code, "analysis.json", analysis.issue.detail);
  return analysis?.ok === true ? parseAnalysis(analysis.value) : null;
}

function readText(reader: FolderReader, file: string): string | null {
  const reading = readFileBytes(reader.root, reader.locate(file), FILE_LIMITS.evidence.bytes);
  return reader.accept(file, reading)?.bytes.toString("utf8") ?? null;
}

function listSteps({ root, folder }: FolderReader, stepNames: readonly string[] | null): readonly string[] {
  const steps = joinFolder(folder, "steps");
  if (stepNames?.length === 0 || !statFolder(root, steps).canEnter) return [];
  return selectSteps(listOrNull(root, steps)?.entries ?? [], stepNames);
}
