import { stat } from "node:fs/promises";
import { isAbsolute, posix } from "node:path";

import { compareText } from "@/lib/core/domain/compare-text";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { ErrorTag } from "@/lib/core/domain/trial";
import type { TrialFileEntry } from "@/lib/core/domain/trial-file";
import type { AgentOutput } from "@/lib/core/domain/verifier-check";
import { parseErrorTag } from "@/lib/core/evaluation";
import type { LedgerPathName, LedgerRecordFile } from "@/lib/read/schema/ledger-record";

import {
  collectDerivedDetails,
  type DetailsFile,
  listDetailsTags,
  toBreakdownSource,
} from "../detail/details-file";
import { isObject, listOr } from "../detail/json-shape";
import { resolveInside } from "../detail/open-inside";
import { folderName, joinFolder, type LoadRoot, parentFolder, prepareIssue } from "../discover/load-root";
import { readOutputFile } from "../harbor/read-output";
import { isInSameOpened } from "../opened-inside";
import { locateManifest } from "./ledger-folder";
import { type JudgedTrial, readTrialJudgments } from "./read-judgments";
import { type LedgerEvaluation, type LedgerRecord, readLedgerRecord } from "./read-ledger-trial";

export function readLedgerDerivedDetails(root: LoadRoot, file: string) {
  const { record } = readLedgerRecord(root, file);
  const evaluation = record?.evaluation ?? null;
  const breakdowns = listBreakdowns(folderName(root, file), evaluation);
  const issues: LoadIssue[] = [];
  const report = (code: LoadIssue["code"], detail: string) =>
    issues.push(prepareIssue(root, code, file, detail));
  return {
    derivedDetails: {
      ...collectDerivedDetails(breakdowns, null, report, listStatedTags(evaluation)),
      tests: null,
      output: readNamedOutput(root, file, record),
      crash: null,
      explainsZero: evaluation?.result?.validity.output_parseable === false,
    },
    issues,
  };
}

/** Reads the named output if it is in the opened folder: most are container paths. */
function readNamedOutput(root: LoadRoot, file: string, record: LedgerRecord | null): AgentOutput {
  const named = (record?.facts.paths ?? []).filter(({ name }) => name === "output" || name === "raw output");
  for (const { path } of named) {
    for (const candidate of listCandidates(root, parentFolder(file), path)) {
      const output = readOutputFile(root, candidate);
      if (output.kind === "known" || output.reason !== "none") return output;
    }
  }
  return { kind: "unknown", reason: "none" };
}

/** Resolves a record's path below the root; none if it leaves the root or enters another opened folder. */
function listCandidates(root: LoadRoot, experiment: string, path: string): string[] {
  if (path.includes("\0")) return [];
  const places = isAbsolute(path)
    ? path.startsWith(`${root.path}/`)
      ? [posix.normalize(path.slice(root.path.length + 1))]
      : []
    : [parentFolder(parentFolder(experiment)), experiment].map((folder) =>
        posix.normalize(joinFolder(folder, path)),
      );
  return [...new Set(places)].filter(
    (place) =>
      place !== "." &&
      !/^\.\.(?:\/|$)/.test(place) &&
      isInSameOpened(`${root.path}/${place}`, `${root.path}/${experiment}`),
  );
}

function listBreakdowns(name: string, evaluation: LedgerEvaluation | null): readonly DetailsFile[] {
  const breakdown = evaluation?.stated?.["breakdown"];
  return isObject(breakdown) ? [{ file: name, step: null, kind: "details", root: breakdown }] : [];
}

/** Parses error tags separately, so that a broken one hides no other. */
function listStatedTags(evaluation: LedgerEvaluation | null): readonly ErrorTag[] {
  return listOr(evaluation?.stated?.["error_taxonomy"]).flatMap((entry) => {
    const parsed = isObject(entry) ? parseErrorTag(entry) : null;
    return parsed?.ok === true ? parsed.value : [];
  });
}

export type LedgerDetails = Awaited<ReturnType<typeof readLedgerDetails>>;

export async function readLedgerDetails(root: LoadRoot, trial: JudgedTrial) {
  const file = trial.folder;
  const { record } = readLedgerRecord(root, file);
  const reading = readTrialJudgments(root, parentFolder(file), trial);
  const sources = listBreakdowns(folderName(root, file), record?.evaluation ?? null);
  return {
    ...reading,
    ...(await listLedgerFiles(root, file, record?.facts ?? null, reading)),
    record,
    breakdown: {
      sources: sources.map(toBreakdownSource).filter(({ dimensions }) => dimensions.length > 0),
      errorTags: [...listStatedTags(record?.evaluation ?? null), ...listDetailsTags(sources)],
      files: [file],
      issues: [],
    },
  };
}

/**
 * Lists a trial's record `file`, its run manifest, files of its judgments and reviewers, and files in the opened folder that the
 * record names: by absolute path, or relative to the ledger's parent folder, then to the experiment.
 */
async function listLedgerFiles(
  root: LoadRoot,
  file: string,
  facts: LedgerRecordFile | null,
  { judgments, reviewers }: ReturnType<typeof readTrialJudgments>,
) {
  const experiment = parentFolder(file);
  const named = await Promise.all((facts?.paths ?? []).map((one) => findNamed(root, experiment, one)));
  const paths = [
    file,
    ...(facts?.runId == null ? [] : [locateManifest(experiment, facts.runId)]),
    ...judgments.map((judgment) => judgment.file),
    ...reviewers.flatMap((reviewer) => [
      ...(reviewer.file === null ? [] : [reviewer.file]),
      ...reviewer.calibrations.map((calibration) => calibration.file),
    ]),
    ...named.flatMap((one) => one.file ?? []),
  ];
  const sizes = await Promise.all([...new Set(paths)].map((path) => readSize(root, path)));
  // A tree below the opened folder. Only these files can be opened.
  return { entries: arrangeTree(sizes.filter((one) => one !== null)), named };
}

async function readSize(root: LoadRoot, path: string) {
  const resolved = resolveInside(root.path, path);
  if (!resolved.ok) return null;
  const stats = await stat(resolved.value).catch(() => null);
  return stats?.isFile() === true ? { path, sizeBytes: stats.size } : null;
}

function arrangeTree(
  files: readonly { readonly path: string; readonly sizeBytes: number }[],
): TrialFileEntry[] {
  const entries = new Map<string, TrialFileEntry>();
  for (const { path, sizeBytes } of files) {
    for (let folder = parentFolder(path); folder !== ""; folder = parentFolder(folder)) {
      entries.set(folder, { path: folder, kind: "folder", sizeBytes: null, depth: countDepth(folder) });
    }
    entries.set(path, { path, kind: "file", sizeBytes, depth: countDepth(path) });
  }
  const toKey = ({ path }: TrialFileEntry) => path.replaceAll("/", "\0");
  return [...entries.values()].sort((a, b) => compareText(toKey(a), toKey(b)));
}

function countDepth(path: string): number {
  return path.split("/").length - 1;
}

async function findNamed(
  root: LoadRoot,
  experiment: string,
  { name, path }: { readonly name: LedgerPathName; readonly path: string },
) {
  const refuse = (problem: string) => ({ name, path, file: null, problem });
  const candidates = listCandidates(root, experiment, path);
  if (candidates.length === 0) return refuse("It is outside the opened folder and is not opened.");
  for (const candidate of candidates) {
    if ((await readSize(root, candidate)) !== null) return { name, path, file: candidate, problem: null };
  }
  return refuse("It is not in the opened folder.");
}
