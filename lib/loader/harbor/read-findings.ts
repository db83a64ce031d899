import type { TrialFindings } from "@/lib/domain/breakdown";
import type { LoadIssue } from "@/lib/domain/load-issue";
import type { TrialAnalysis } from "@/lib/domain/trial-file";

import {
  collectFindings,
  DETAILS_KINDS,
  type DetailsFile,
  listVerifierFolders,
  MAX_DETAILS_BYTES,
  parseDetailsFile,
} from "../detail/details-file";
import { selectSteps } from "../detail/load-trajectory-files";
import { parseLooseJson } from "../detail/parse-loose-json";
import { parseAnalysis } from "../detail/read-evidence";
import { listOrNull, readFileBytes } from "../file-access";
import { findLock, stampFile, statFolder } from "../file-stamp";
import { enterTrial } from "../large-files";
import { limitFindings } from "./limit-findings";
import { joinFolder, type LoadRoot, prepareIssue } from "../discover/load-root";
import { readOutput } from "./read-output";
import { findVerifierCrash } from "./read-verifier-log";

const MAX_ANALYSIS_BYTES = 16 << 20;

/** The findings of a trial without files. */
export const NO_FINDINGS: TrialFindings = {
  dimensions: new Map(),
  errorTags: [],
  hasDetails: false,
  output: { kind: "unknown", reason: "none" },
  crash: null,
  explainsZero: false,
};

/** What a trial's files say beyond its rewards, and what is wrong with these files. */
export interface FindingsReading {
  readonly findings: TrialFindings;
  /** Files that are there and could not be read; paths begin with the root's label. */
  readonly issues: readonly LoadIssue[];
}

/**
 * Reads a trial's verifier details, analysis and output for what every page counts of them: shares by dimension, error
 * tags, and what tells whether its verifier can be trusted. Files that are absent add nothing; broken details and analyses
 * add an issue.
 *
 * @param folder - the trial's, relative to the root
 * @param stepNames - of a multi-step trial in the order they ran; null for what lies in `steps/`
 * @param withLogs - whether the verifier's logs are searched for its crash, see {@link findVerifierCrash}
 * @remarks Costs some ten looks at a trial that has none of these files, and the listing of one folder with its logs.
 */
export function readTrialFindings(
  root: LoadRoot,
  folder: string,
  stepNames: readonly string[] | null,
  withLogs = false,
): FindingsReading {
  const refusal = enterTrial(`${root.path}/${folder}`, "findings");
  if (refusal !== null)
    return { findings: NO_FINDINGS, issues: [prepareIssue(root, "reader_stopped", folder, refusal)] };
  // Its trial says so already, once for all that lies in it.
  if (findLock(root, folder) !== null) return { findings: NO_FINDINGS, issues: [] };
  const issues: LoadIssue[] = [];
  const reader = new FindingsReader(root, folder, issues);
  const steps = listSteps(root, folder, stepNames);
  const own = stepNames === null ? ["agent", "artifacts", "steps"] : ["agent", "artifacts"];
  reader.reportClosed([...own, ...steps.flatMap(listStepFolders)]);
  const files = reader.readDetails(steps);
  const said = limitFindings(collectFindings(files, reader.readAnalysis()), (code, detail) => {
    reader.report({ code, path: files[0]?.file ?? "analysis.json", detail });
  });
  const findings = {
    ...said,
    output: readOutput(root, folder, steps),
    crash: withLogs ? findVerifierCrash(root, folder, steps) : null,
    explainsZero: false,
  };
  return { findings, issues };
}

/** Reads one trial's files and keeps what is wrong with them. */
class FindingsReader {
  private readonly root: LoadRoot;
  private readonly folder: string;
  private readonly issues: LoadIssue[];

  constructor(root: LoadRoot, folder: string, issues: LoadIssue[]) {
    this.root = root;
    this.folder = folder;
    this.issues = issues;
  }

  readDetails(steps: readonly string[]): readonly DetailsFile[] {
    const files: DetailsFile[] = [];
    for (const { folder: verifier, step } of listVerifierFolders(steps)) {
      if (!statFolder(this.root, joinFolder(this.folder, verifier)).canEnter) continue;
      for (const kind of DETAILS_KINDS) {
        const file = `${verifier}/${kind}.json`;
        const text = this.read(file, MAX_DETAILS_BYTES);
        if (text === null) continue;
        const parsed = parseDetailsFile(text, { file, step, kind });
        if (!parsed.ok) this.report(parsed.issue);
        else if (parsed.value !== null) files.push(parsed.value);
      }
    }
    return files;
  }

  readAnalysis(): TrialAnalysis | null {
    const text = this.read("analysis.json", MAX_ANALYSIS_BYTES);
    const analysis = text === null ? null : parseLooseJson(text, "analysis.json");
    if (analysis?.ok === false) this.report(analysis.issue);
    return analysis?.ok === true ? parseAnalysis(analysis.value) : null;
  }

  /** Says of links among these folders that they are not followed; the verifier's is looked at with its rewards. */
  reportClosed(folders: readonly string[]): void {
    for (const name of folders) {
      const { issue } = statFolder(this.root, joinFolder(this.folder, name));
      if (issue !== null) this.issues.push(issue);
    }
  }

  report({ code, path, detail }: LoadIssue): void {
    this.issues.push(prepareIssue(this.root, code, joinFolder(this.folder, path), detail));
  }

  private read(file: string, maxBytes: number): string | null {
    const path = joinFolder(this.folder, file);
    // Looks before opening: most trials have one of these files at most, and a failed opening costs four times a look.
    if (stampFile(this.root, path) === "") return null;
    const bytes = readFileBytes(this.root, path, maxBytes);
    if (bytes.kind === "refused") this.issues.push(bytes.issue);
    return bytes.kind === "read" ? bytes.bytes.toString("utf8") : null;
  }
}

function listStepFolders(step: string): readonly string[] {
  return [`steps/${step}/agent`, `steps/${step}/artifacts`];
}

function listSteps(root: LoadRoot, folder: string, stepNames: readonly string[] | null): readonly string[] {
  const steps = joinFolder(folder, "steps");
  if (stepNames?.length === 0 || !statFolder(root, steps).canEnter) return [];
  // It was there a moment ago; the next look at the trial sees what became of it.
  return selectSteps(listOrNull(root, steps)?.entries ?? [], stepNames);
}
