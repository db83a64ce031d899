import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { type LedgerRecordFile, parseLedgerRecord } from "@/lib/read/schema/ledger-record";

import { isObject } from "../detail/json-shape";
import type { LoadRoot } from "../discover/load-root";
import { FolderReader } from "../folder-reader";
import { describeIssues, type LedgerEvaluation, parseLedgerEvaluation } from "./parse-evaluation";

export interface LedgerRecord {
  readonly file: string;
  readonly facts: LedgerRecordFile;
  readonly evaluation: LedgerEvaluation;
  readonly bytes: Buffer;
}

export interface LedgerRecordReading {
  readonly record: LedgerRecord | null;
  readonly isThere: boolean;
  readonly issues: readonly LoadIssue[];
  readonly reader: FolderReader;
}

export function readLedgerRecord(root: LoadRoot, file: string): LedgerRecordReading {
  const reader = new FolderReader(root, file);
  const read = reader.readLooseBytes("");
  const value = read?.value;
  const reading = { isThere: reader.probes.stamp !== "", issues: reader.issues, reader };
  const facts = read === null ? null : reader.take("", parseLedgerRecord(value));
  if (read === null || facts === null) return { record: null, ...reading };
  const stated = isObject(value) ? value["evaluation"] : null;
  const evaluation = parseLedgerEvaluation(stated, facts.version === 2 ? "head" : "seed");
  const { result, issues } = evaluation;
  if (issues.length > 0)
    reader.report(result === null ? "rewards_invalid" : "field_invalid", "", describeIssues(issues));
  return { record: { file, facts, evaluation, bytes: read.bytes }, ...reading };
}
