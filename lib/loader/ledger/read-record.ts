import type { LoadIssue } from "@/lib/domain/load-issue";
import { type LedgerRecordFile, parseLedgerRecord } from "@/lib/schema/ledger-record";

import { isObject } from "../detail/json-shape";
import type { LoadRoot } from "../discover/load-root";
import { FolderReader } from "../folder-reader";
import { describeIssues, type LedgerEvaluation, parseLedgerEvaluation } from "./parse-evaluation";

/** One record of a ledger: what it says of the trial, and its evaluation. */
export interface LedgerRecord {
  /** Relative to the opened folder, with `/`. */
  readonly file: string;
  readonly facts: LedgerRecordFile;
  readonly evaluation: LedgerEvaluation;
  readonly bytes: Buffer;
}

/** A record, or null when its file is not there or is no record; `issues` say what is wrong with it either way. */
export interface LedgerRecordReading {
  readonly record: LedgerRecord | null;
  readonly isThere: boolean;
  readonly issues: readonly LoadIssue[];
  readonly reader: FolderReader;
}

/** Reads the record of a ledger's trial; `file` is the `folder` of that trial. */
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
