import { createHash } from "node:crypto";

import type { TrialFiles } from "@/lib/core/domain/trial";
import { type LedgerManifestFile, parseLedgerManifest } from "@/lib/read/schema/ledger-record";

import { joinFolder } from "../discover/load-root";
import { isAbsent } from "../file-stamp";
import type { FolderReader } from "../folder-reader";

export const RUNS_FOLDER = "_runs";

export function locateManifest(ledgerFolder: string, runId: string): string {
  const name = createHash("sha256").update(runId).digest("hex");
  return joinFolder(ledgerFolder, `${RUNS_FOLDER}/${name}.json`);
}

export class RunManifests {
  private readonly reader: FolderReader;
  private readonly byRun = new Map<string, LedgerManifestFile | null>();

  constructor(reader: FolderReader) {
    this.reader = reader;
  }

  complete(record: TrialFiles): TrialFiles {
    if (record.ledger?.version !== 2) return record;
    const manifest = this.get(record.ledger.runId);
    return {
      ...record,
      jobUuid: manifest?.experimentId ?? null,
      source: manifest?.dataset ?? null,
      agent: manifest?.adapter ?? "unknown",
      agentVersion: manifest?.adapterRevision ?? null,
      model: manifest?.model ?? null,
      recordedModel: manifest?.model ?? null,
    };
  }

  private get(runId: string | null): LedgerManifestFile | null {
    if (runId === null) return null;
    if (!this.byRun.has(runId)) this.byRun.set(runId, this.read(runId));
    return this.byRun.get(runId) ?? null;
  }

  private read(runId: string): LedgerManifestFile | null {
    const { reader } = this;
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
}
