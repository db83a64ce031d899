import { isUtf8 } from "node:buffer";

import type { LoadIssue } from "@/lib/domain/load-issue";
import { parsePythonJson, PythonError, type PyValue } from "@/lib/scoring";

import { readFileBytes } from "./file-access";
import { type LoadRoot, prepareIssue } from "./load-root";

/** A JSON file as Python reads it, or why it cannot be read. `bytes` are there whenever the file could be opened. */
export type DocumentReading =
  | { readonly kind: "absent" }
  | ({ readonly kind: "read"; readonly value: PyValue; readonly bytes: Buffer } & FileMoment)
  | ({ readonly kind: "refused"; readonly issue: LoadIssue; readonly bytes: Buffer | null } & FileMoment);

/** The state of the file that was read: its stamp, and when it was written in milliseconds since 1970-01-01. */
interface FileMoment {
  readonly stamp: string;
  readonly mtimeMs: number;
}

/** Reads and parses a JSON file exactly: `NaN` and `Infinity` are accepted, ints keep every digit. */
export function readDocument(root: LoadRoot, file: string, maxBytes: number): DocumentReading {
  const reading = readFileBytes(root, file, maxBytes);
  if (reading.kind === "absent") return reading;
  if (reading.kind === "refused") return { ...reading, bytes: null, stamp: "refused", mtimeMs: 0 };
  const { bytes, stamp, mtimeMs } = reading;
  const refuse = (code: LoadIssue["code"], detail: string): DocumentReading => ({
    kind: "refused",
    issue: prepareIssue(root, code, file, detail),
    bytes,
    stamp,
    mtimeMs,
  });
  if (bytes.length === 0) return refuse("file_empty", "The file has no content; it may be half written.");
  if (!isUtf8(bytes)) return refuse("text_not_utf8", "The file is not UTF-8 text.");
  try {
    return { kind: "read", value: parsePythonJson(bytes.toString("utf8")), bytes, stamp, mtimeMs };
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    return refuse("json_torn", `The file is not complete JSON (${error.message}); it may be half written.`);
  }
}
