import { existsSync } from "node:fs";

import { type Excerpt, findExcerpt, makePatterns, type TextPiece } from "@/lib/core/domain/search-excerpt";
import { listStepTexts, listEmbeddedImages, STEP_WORDS } from "@/lib/core/domain/trajectory";
import type { ListStarts } from "@/lib/core/domain/trial-lists";
import {
  type EvaluatedTrial,
  showEvaluation,
  type ShownEvaluation,
  writeEvaluation,
  writeEvaluationLine,
} from "@/lib/core/trial-evaluation";
import { hashJobs } from "@/lib/read/loader";
import {
  readEarlierAttempts,
  readTrialFile,
  readTestReports,
  readTrajectory,
} from "@/lib/read/loader/detail";
import { readEvaluation, type TrialToEvaluate } from "@/lib/read/trial-reading/evaluation";

import type { StepsRequest } from "./choose-steps";
import { readTrialDetails, type TrialDetails } from "./details";
import { compareFolders } from "./diff/compare-files";
import { readDiff } from "./diff/read-diff";
import { readFileList, checkLedgerFile, readFilesPanel } from "./files";
import { findInFiles } from "./find-in-files";
import type { TrialPlace } from "./place";
import { readInstruction, NO_TRAJECTORY, prepareSteps, type TrialSteps } from "./steps";

export interface StepImageRequest {
  /** First file of the trace; null for the richest. */
  readonly source: string | null;
  readonly step: string;
  /** Index among the images embedded in the step. */
  readonly nth: number;
}

/** Returns type and base64 as one text, because a text may be larger than other values when it leaves the process. */
export async function readStepImage(
  { path, stepNames, ledger }: TrialPlace,
  { source, step, nth }: StepImageRequest,
): Promise<string | null> {
  if (path === null || ledger !== null) return null;
  const { steps } = await readTrajectory(path, stepNames, source);
  const named = steps.find(({ key }) => key === step);
  const image = named === undefined ? undefined : listEmbeddedImages(named)[nth];
  return image === undefined ? null : `${image.type} ${image.base64}`;
}

export interface EvaluationRequest extends TrialToEvaluate, Pick<EvaluatedTrial, "job" | "root"> {}

export interface TrialReading {
  readonly details: TrialDetails;
  readonly evaluation: ShownEvaluation;
  readonly steps: TrialSteps;
}

/** Null if no evidence of the failure cites a step. */
interface Cause {
  readonly step: string | null;
}

/** Reads one file after the other, so that a slow or crashing file can be identified. A null `cause` ignores the analysis too. */
async function readTrial(
  place: TrialPlace,
  request: EvaluationRequest,
  starts: ListStarts,
  window: StepsRequest | null,
  cause: Cause | null = null,
): Promise<TrialReading> {
  const { path, stepNames, ledger } = place;
  const trajectory =
    path === null || ledger !== null
      ? NO_TRAJECTORY
      : await readTrajectory(path, stepNames, window?.source ?? null);
  const details = await readTrialDetails(place, trajectory, starts);
  const cited = cause && (cause.step ?? STEP_WORDS.exec(details.analysis?.summary ?? "")?.[2] ?? null);
  return {
    details,
    evaluation: showEvaluation({ ...request, result: await readEvaluation(request) }),
    steps: prepareSteps(trajectory, request.trial, path ?? "", window, cited),
  };
}

async function readEvaluationText(request: EvaluationRequest, form: "file" | "line"): Promise<string> {
  const evaluated = { ...request, result: await readEvaluation(request) };
  return form === "file" ? writeEvaluation(evaluated) : writeEvaluationLine(evaluated);
}

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
  diff: readDiff,
  "diff-files": compareFolders,
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
