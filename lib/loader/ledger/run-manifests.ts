import { createHash } from "node:crypto";

import type { LoadIssue } from "@/lib/domain/load-issue";
import { type LedgerManifestFile, parseLedgerManifest } from "@/lib/schema/ledger-record";

import { joinFolder, type LoadRoot, prepareIssue } from "../discover/load-root";
import type { StringPool } from "../string-pool";
import type { TrialReading } from "../harbor/trial-reading";
import { readJson, reportFields } from "./read-json";

/** Folder of a ledger's experiment that holds the manifests of its runs. */
export const RUNS_FOLDER = "_runs";

/** Where the manifest of a run lies, relative to the root. */
export function locateManifest(ledgerFolder: string, runId: string): string {
  const name = createHash("sha256").update(runId).digest("hex");
  return joinFolder(ledgerFolder, `${RUNS_FOLDER}/${name}.json`);
}

/** The manifests of one experiment's runs, each read once. */
export class RunManifests {
  /** Problems of manifests, one per run. */
  readonly issues: LoadIssue[] = [];
  private readonly root: LoadRoot;
  private readonly folder: string;
  private readonly byRun = new Map<string, LedgerManifestFile | null>();

  constructor(root: LoadRoot, folder: string) {
    this.root = root;
    this.folder = folder;
  }

  /** The record with what its run's manifest says; a trial of version 2 without a readable one has no known agent. */
  complete(pool: StringPool, record: TrialReading["record"]): TrialReading["record"] {
    if (record.ledger?.version !== 2) return record;
    const manifest = this.get(record.ledger.runId);
    return {
      ...record,
      jobId: pool.share(manifest?.experimentId),
      source: pool.share(manifest?.dataset),
      agent: pool.shareText(manifest?.adapter ?? "unknown"),
      agentVersion: pool.share(manifest?.adapterRevision),
      model: pool.share(manifest?.model),
    };
  }

  private get(runId: string | null): LedgerManifestFile | null {
    if (runId === null) return null;
    const known = this.byRun.get(runId);
    if (known !== undefined) return known;
    const manifest = this.read(runId);
    this.byRun.set(runId, manifest);
    return manifest;
  }

  private read(runId: string): LedgerManifestFile | null {
    const file = locateManifest(this.folder, runId);
    const reading = readJson(this.root, file);
    if (reading.kind === "absent") {
      const detail = `The manifest of run ${runId} is missing, so agent, model and dataset of its trials are unknown. Copy the whole ledger.`;
      this.issues.push(prepareIssue(this.root, "run_manifest_missing", file, detail));
      return null;
    }
    if (reading.kind === "refused") {
      this.issues.push(reading.issue);
      return null;
    }
    const { value, problems } = parseLedgerManifest(reading.value);
    reportFields(this.root, file, problems, this.issues);
    if (value === null || value.runId === runId) return value;
    const detail = `run_id: ${value.runId ?? "nothing"} was found where ${runId} was expected; the file is not used.`;
    this.issues.push(prepareIssue(this.root, "field_invalid", file, detail));
    return null;
  }
}
