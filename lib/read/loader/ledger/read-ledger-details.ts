import { stat } from "node:fs/promises";

import { compareText } from "@/lib/core/domain/compare-text";
import type { TrialFileEntry } from "@/lib/core/domain/trial-file";
import type { LedgerPathName, LedgerRecordFile } from "@/lib/read/schema/ledger-record";

import { listDetailsTags, toBreakdownSource } from "../detail/details-file";
import { resolveInside } from "../detail/open-inside";
import { folderName, type LoadRoot, parentFolder } from "../discover/load-root";
import type { JudgedTrial } from "./read-judgments";
import { listBreakdowns, listCandidates, listStatedTags } from "./read-ledger-derived-details";
import { readLedgerRecord } from "./read-record";
import { readTrialJudgments, type TrialJudgmentsReading } from "./read-reviewers";
import { locateManifest } from "./run-manifests";

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
  { judgments, reviewers }: TrialJudgmentsReading,
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
  return [...entries.values()].sort((a, b) => compareText(toKey(a.path), toKey(b.path)));
}

function toKey(path: string): string {
  return path.replaceAll("/", "\0");
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
