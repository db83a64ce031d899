import type { LoadIssue } from "@/lib/domain/load-issue";
import { type LedgerRecordFile, parseLedgerRecord } from "@/lib/schema/ledger-record";

import { isObject } from "../detail/json-shape";
import type { LoadRoot } from "../discover/load-root";
import { type LedgerEvaluation, listEvaluationIssues, parseLedgerEvaluation } from "./parse-evaluation";
import { readJson, reportFields } from "./read-json";

/** One record of a ledger: what it says of the trial, and its evaluation. */
export interface LedgerRecord {
  /** Relative to the opened folder, with `/`. */
  readonly file: string;
  readonly facts: LedgerRecordFile;
  readonly evaluation: LedgerEvaluation;
}

/** A record, or null when its file is not there or is no record; `issues` say what is wrong with it either way. */
export interface LedgerRecordReading {
  readonly record: LedgerRecord | null;
  readonly isThere: boolean;
  readonly issues: readonly LoadIssue[];
  /** The file's stamp from before it was read. */
  readonly stamp: string;
  /** See `FileBytes`. */
  readonly isDenied: boolean;
}

/**
 * Reads the record of a ledger's trial. Links are not followed out of the root, files above 64 MiB are not read; every
 * fault is an issue with the root's label in front of its path.
 *
 * @param file - the record, relative to the root: the `folder` of a trial whose `ledger` is not null
 * @remarks Synchronous, one file.
 */
export function readLedgerRecord(root: LoadRoot, file: string): LedgerRecordReading {
  const reading = readJson(root, file);
  const { stamp } = reading;
  if (reading.kind === "absent") return { record: null, isThere: false, issues: [], stamp, isDenied: false };
  if (reading.kind === "refused") {
    const { issue, isDenied } = reading;
    return { record: null, isThere: true, issues: [issue], stamp, isDenied };
  }
  const issues: LoadIssue[] = [];
  const { value: facts, problems } = parseLedgerRecord(reading.value);
  reportFields(root, file, problems, issues);
  if (facts === null) return { record: null, isThere: true, issues, stamp, isDenied: false };
  const stated = isObject(reading.value) ? reading.value["evaluation"] : null;
  const evaluation = parseLedgerEvaluation(stated, facts.version === 2 ? "head" : "seed");
  issues.push(...listEvaluationIssues(root, file, evaluation));
  return { record: { file, facts, evaluation }, isThere: true, issues, stamp, isDenied: false };
}
