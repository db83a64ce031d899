import { isUtf8 } from "node:buffer";

import type { LoadIssue } from "@/lib/domain/load-issue";
import { findTooManyValues } from "@/lib/schema/count-values";
import { parsePythonJson, PythonError, type PyValue } from "@/lib/scoring";

import { type FileLimits, readFileBytes } from "./file-access";
import { type LoadRoot, prepareIssue } from "./discover/load-root";

/** The state of the file that was read: its stamp, and when it was written in milliseconds since 1970-01-01. */
interface FileMoment {
  readonly stamp: string;
  readonly mtimeMs: number;
}

/** A file that holds nothing readable. `bytes` are there whenever the file could be opened. */
export type RefusedReading = {
  readonly kind: "refused";
  readonly issue: LoadIssue;
  readonly bytes: Buffer | null;
  /** See {@link FileBytes}. */
  readonly isDenied?: boolean;
} & FileMoment;

/** A text file, or why it cannot be read. */
export type TextReading =
  | { readonly kind: "absent"; readonly stamp: string }
  | ({ readonly kind: "read"; readonly text: string; readonly bytes: Buffer } & FileMoment)
  | RefusedReading;

/** A JSON file as Python reads it, or why it cannot be read. */
export type DocumentReading =
  | { readonly kind: "absent"; readonly stamp: string }
  | ({ readonly kind: "read"; readonly value: PyValue; readonly bytes: Buffer } & FileMoment)
  | RefusedReading;

/**
 * Reads a file that has to hold UTF-8 text and no more values of JSON than its limits allow.
 *
 * @param scratch - see {@link readFileBytes}; the reading's `bytes` are short-lived with it
 */
export function readText(
  root: LoadRoot,
  file: string,
  limits: FileLimits,
  scratch: Buffer | null = null,
): TextReading {
  const reading = readFileBytes(root, file, limits.bytes, scratch);
  if (reading.kind === "absent") return reading;
  if (reading.kind === "refused") return { ...reading, bytes: null, mtimeMs: 0 };
  const refuse = (code: LoadIssue["code"], detail: string): TextReading => ({
    ...reading,
    kind: "refused",
    issue: prepareIssue(root, code, file, detail),
  });
  const { bytes, stamp, mtimeMs } = reading;
  if (bytes.length === 0) return refuse("file_empty", "The file has no content; it may be half written.");
  if (!isUtf8(bytes)) return refuse("text_not_utf8", "The file is not UTF-8 text.");
  const text = bytes.toString("utf8");
  const excess = findTooManyValues(text, file, limits.values);
  if (excess !== null) return refuse(excess.code, excess.detail);
  return { kind: "read", text, bytes, stamp, mtimeMs };
}

/** Parses a text exactly: `NaN` and `Infinity` are accepted, ints keep every digit. */
export function parseDocument(root: LoadRoot, file: string, reading: TextReading): DocumentReading {
  if (reading.kind !== "read") return reading;
  const { text, bytes, stamp, mtimeMs } = reading;
  try {
    return { kind: "read", value: parsePythonJson(text), bytes, stamp, mtimeMs };
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    const detail =
      error.name === "JSONDecodeError"
        ? `The file is not complete JSON (${error.message}); it may be half written.`
        : `Python, and so Harbor, refuses to read the file: ${error.message}.`;
    return { kind: "refused", issue: prepareIssue(root, "json_torn", file, detail), bytes, stamp, mtimeMs };
  }
}

/** Reads and parses a JSON file, see {@link parseDocument}. */
export function readDocument(root: LoadRoot, file: string, limits: FileLimits): DocumentReading {
  return parseDocument(root, file, readText(root, file, limits));
}
