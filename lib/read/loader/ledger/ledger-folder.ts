import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";

import type { TrialFiles } from "@/lib/core/domain/trial";
import { type LedgerManifestFile, parseLedgerManifest } from "@/lib/read/schema/ledger-record";

import type { DiscoveryMemo } from "../discover/discovery-memo";
import { classifyFiles } from "../discover/foreign-layout";
import { joinFolder, type LoadRoot, parentFolder } from "../discover/load-root";
import { type FolderListing, listFolder } from "../file-access";
import { isAbsent, isFolder, stampFile } from "../file-stamp";
import { FolderReader } from "../folder-reader";

const RUNS_FOLDER = "_runs";

export function locateManifest(ledgerFolder: string, runId: string): string {
  const name = createHash("sha256").update(runId).digest("hex");
  return joinFolder(ledgerFolder, `${RUNS_FOLDER}/${name}.json`);
}

const NO_MANIFEST: LedgerManifestFile = {
  runId: null,
  experimentId: null,
  dataset: null,
  adapter: null,
  adapterRevision: null,
  model: null,
};

/** Fills records of version 2, which leave experiment, agent and dataset to the manifests of their runs. */
export function completeRecords(reader: FolderReader, records: readonly TrialFiles[]): TrialFiles[] {
  const manifests = new Map<string, LedgerManifestFile | null>();
  return records.map((record) => {
    if (record.ledger?.version !== 2) return record;
    const { runId } = record.ledger;
    if (runId !== null && !manifests.has(runId)) manifests.set(runId, readManifest(reader, runId));
    const manifest = (runId === null ? null : manifests.get(runId)) ?? NO_MANIFEST;
    return {
      ...record,
      jobUuid: manifest.experimentId,
      source: manifest.dataset,
      agent: manifest.adapter ?? "unknown",
      agentVersion: manifest.adapterRevision,
      model: manifest.model,
      recordedModel: manifest.model,
    };
  });
}

function readManifest(reader: FolderReader, runId: string): LedgerManifestFile | null {
  const file = locateManifest("", runId);
  const value = reader.readLoose(file);
  if (value === undefined) {
    if (!isAbsent(reader.root, reader.locate(file))) return null;
    const detail = `The manifest of run ${runId} is missing, so agent, model and dataset of its trials are unknown. Copy the whole ledger.`;
    reader.report("run_manifest_missing", file, detail);
    return null;
  }
  const manifest = reader.take(file, parseLedgerManifest(value));
  if (manifest === null || manifest.runId === runId) return manifest;
  const detail = `run_id: ${manifest.runId ?? "nothing"} was found where ${runId} was expected; the file is not used.`;
  reader.report("field_invalid", file, detail);
  return null;
}

export const TRIAGE_FOLDER = "_annotations";

const FEEDBACK = "feedback";
const FEEDBACK_PARTS = ["annotations", "adjudications", "calibrations", "reviewers"] as const;
export function findFeedback(root: LoadRoot, ledgerFolder: string): string | null {
  let above = ledgerFolder;
  for (;;) {
    above = parentFolder(above);
    const feedback = joinFolder(above, FEEDBACK);
    if (isFolder(root, feedback)) return feedback;
    if (above === "") return null;
  }
}

export function stampLedgerFiles(root: LoadRoot, ledgerFolder: string): string {
  const feedback = findFeedback(root, ledgerFolder);
  const folders = [RUNS_FOLDER, TRIAGE_FOLDER].map((name) => joinFolder(ledgerFolder, name));
  if (feedback !== null) folders.push(...FEEDBACK_PARTS.map((part) => joinFolder(feedback, part)));
  const reader = new FolderReader(root, "");
  return folders.flatMap((folder) => stampBelow(reader, folder, 1)).join("|");
}

function stampBelow(reader: FolderReader, folder: string, depth: number): string[] {
  const listing = listOwnFolder(reader, folder);
  if (listing === null) return [`${folder}!`];
  const own = [...listing.files].map((name) => {
    const file = joinFolder(folder, name);
    return `${file}:${stampFile(reader.root, file)}`;
  });
  const below = depth === 0 ? [] : listing.folders;
  return [...own, ...below.flatMap((name) => stampBelow(reader, joinFolder(folder, name), depth - 1))];
}

export function listOwnFolder({ root, issues }: FolderReader, folder: string): FolderListing | null {
  if (!isFolder(root, folder)) return null;
  const listing = listFolder(root, folder);
  if (!("code" in listing)) return listing;
  issues.push(listing);
  return null;
}

export function listJsonFiles(reader: FolderReader, folder: string): string[] {
  const files = [...(listOwnFolder(reader, folder)?.files ?? [])];
  return files.filter((name) => name.endsWith(".json")).map((name) => joinFolder(folder, name));
}

/** Also accepts a folder in `ledger` with an experiment's other files, so that invalid first records do not hide it. */
export function isExperiment(
  root: LoadRoot,
  memo: DiscoveryMemo,
  folder: string,
  { files, folders }: FolderListing,
): boolean {
  const isNamedSo = basename(dirname(locate(root, folder))) === LEDGER;
  const hasOwnFolder = folders.includes(RUNS_FOLDER) || folders.includes(TRIAGE_FOLDER);
  if (isNamedSo && hasOwnFolder && [...files].some((name) => name.endsWith(".json"))) return true;
  return classifyFiles(root, memo, folder, files).some(({ kind }) => kind === "ledger-record");
}

const LEDGER = "ledger";

export function isLedgerFolder(root: LoadRoot, folder: string): boolean {
  return basename(locate(root, folder)) === LEDGER;
}

function locate(root: LoadRoot, folder: string): string {
  return folder === "" ? root.path : `${root.path}/${folder}`;
}
