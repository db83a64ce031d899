import { existsSync } from "node:fs";

import { type Excerpt, findExcerpt, makePatterns, type TextPiece } from "@/lib/core/domain/search-excerpt";
import { listStepTexts } from "@/lib/core/domain/trajectory";
import { hashJobs } from "@/lib/read/loader";
import {
  readEarlierAttempts,
  readTrialFile,
  readTestReports,
  readTrajectory,
} from "@/lib/read/loader/detail";

import { compareFolders } from "./beside/compare-files";
import { readBeside } from "./beside/read-beside";
import { readFileList } from "./file-list";
import { checkLedgerFile, readFilesPanel } from "./files";
import { findInFiles } from "./find-in-files";
import { readInstruction } from "./instruction";
import { readStepImage } from "./step-image";
import { readEvaluationText, readTrial } from "./trial";

/**
 * Returns null if the folder is gone; the excerpt is null unless every term occurs. @param exception - type and message, or empty
 */
async function searchTrial(
  path: string,
  stepNames: readonly string[] | null,
  exception: string,
  text: string,
): Promise<{ readonly excerpt: Excerpt | null } | null> {
  if (!existsSync(path)) return null;
  const { steps } = await readTrajectory(path, stepNames);
  const { value: reports } = await readTestReports(path, stepNames);
  const tests = reports.flatMap((report) => report.tests.map(({ name }) => name));
  const own = steps.filter(({ copied }) => !copied);
  const pieces: readonly TextPiece[] = [
    { kind: "exception", key: "", text: exception },
    { kind: "test", key: "", text: tests.join("\n") },
    ...own.map((step) => ({
      kind: "step" as const,
      key: step.key,
      text: [...listStepTexts(step)].join("\n"),
    })),
  ];
  const patterns = makePatterns(text);
  const hasAll = patterns.every((pattern) => pieces.some((piece) => piece.text.search(pattern) !== -1));
  return { excerpt: hasAll ? findExcerpt(pieces, patterns) : null };
}

/** All file access of pages. Answers contain what a page shows, never a whole file. */
const READERS = {
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
  "job-hashes": hashJobs,
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
  const read = READERS[reader] as (...args: readonly unknown[]) => unknown;
  return await read(...input);
}
