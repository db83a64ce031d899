import { isUtf8 } from "node:buffer";

import { findTooManyValues } from "@/lib/core/domain/count-values";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { parsePythonJson, PythonError, type PyValue } from "@/lib/core/scoring";

import { type LoadRoot, prepareIssue } from "./discover/load-root";
import { type FileLimits, type FileReading, readFileBytes } from "./file-access";

export type TextReading = FileReading<{ readonly text: string }>;

type DocumentReading = FileReading<{ readonly value: PyValue }>;

export function readText(root: LoadRoot, file: string, limits: FileLimits): TextReading {
  const reading = readFileBytes(root, file, limits.bytes);
  if (reading.kind !== "read") return reading;
  const refuse = (code: LoadIssue["code"], detail: string): TextReading => ({
    ...reading,
    kind: "refused",
    issue: prepareIssue(root, code, file, detail),
    isDenied: false,
  });
  const { bytes } = reading;
  if (bytes.length === 0) return refuse("file_empty", "The file has no content; it may be half written.");
  if (!isUtf8(bytes)) return refuse("text_not_utf8", "The file is not UTF-8 text.");
  const text = bytes.toString("utf8");
  const excess = findTooManyValues(text, file, limits.values);
  return excess === null ? { ...reading, text } : refuse(excess.code, excess.detail);
}

/** Parses exactly: accepts `NaN` and `Infinity` and keeps every digit of integers. */
export function parseDocument(root: LoadRoot, file: string, reading: TextReading): DocumentReading {
  if (reading.kind !== "read") return reading;
  try {
    return { ...reading, value: parsePythonJson(reading.text) };
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    const detail =
      error.name === "JSONDecodeError"
        ? `The file is not complete JSON (${error.message}); it may be half written.`
        : `Python, and so Harbor, refuses to read the file: ${error.message}.`;
    const issue = prepareIssue(root, "json_torn", file, detail);
    return { ...reading, kind: "refused", issue, isDenied: false };
  }
}

export function readDocument(root: LoadRoot, file: string, limits: FileLimits): DocumentReading {
  return parseDocument(root, file, readText(root, file, limits));
}
