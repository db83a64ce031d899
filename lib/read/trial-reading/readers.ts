import { readEarlierAttempts, readTrialFile } from "@/lib/read/loader/detail";

import { compareFolders } from "./beside/compare-files";
import { readBeside } from "./beside/read-beside";
import { readFileList } from "./file-list";
import { checkLedgerFile, readFilesPanel } from "./files";
import { findInFiles } from "./find-in-files";
import { searchTrial } from "./full-search";
import { readJobHashes } from "./hash-jobs";
import { readInstruction } from "./instruction";
import { readStepImage } from "./step-image";
import { readEvaluationText, readTrial } from "./trial";

/** All file access of pages. Answers contain what a page shows, never a whole file. */
export const READERS = {
  trial: readTrial,
  instruction: readInstruction,
  beside: readBeside,
  "beside-files": compareFolders,
  files: readFilesPanel,
  "file-list": readFileList,
  "earlier-attempts": readEarlierAttempts,
  "find-in-files": findInFiles,
  "full-search": searchTrial,
  file: readTrialFile,
  "step-image": readStepImage,
  "ledger-file": checkLedgerFile,
  "evaluation-text": readEvaluationText,
  "job-hashes": readJobHashes,
} as const;

export type ReaderName = keyof typeof READERS;
export type ReaderInput<Name extends ReaderName> = Parameters<(typeof READERS)[Name]>;
export type ReaderOutput<Name extends ReaderName> = Awaited<ReturnType<(typeof READERS)[Name]>>;

export interface ReadingRequest {
  readonly reader: ReaderName;
  readonly input: readonly unknown[];
}

export async function carryOut({ reader, input }: ReadingRequest): Promise<unknown> {
  // The request was made by `readApart`, whose types tie the two together.
  const read = READERS[reader] as (...args: readonly unknown[]) => Promise<unknown>;
  return await read(...input);
}
