import type { LoadIssue } from "@/lib/domain/load-issue";
import type { FieldProblem } from "@/lib/schema/lenient-parse";

import { parseLooseJson } from "../detail/parse-loose-json";
import { FILE_LIMITS } from "../file-access";
import { type LoadRoot, prepareIssue } from "../discover/load-root";
import { readText } from "../read-document";

/** A JSON file of a ledger or of its feedback folder, or why it cannot be read. */
export type JsonReading =
  | { readonly kind: "absent"; readonly stamp: string }
  | { readonly kind: "read"; readonly value: unknown; readonly stamp: string }
  | {
      readonly kind: "refused";
      readonly issue: LoadIssue;
      readonly stamp: string;
      /** See `FileBytes`. */
      readonly isDenied: boolean;
    };

/** Reads a JSON file below the root; `NaN` and infinities become text, as in a verifier's details. */
export function readJson(root: LoadRoot, file: string): JsonReading {
  const reading = readText(root, file, FILE_LIMITS.trial);
  const { stamp } = reading;
  if (reading.kind === "absent") return reading;
  if (reading.kind === "refused")
    return { kind: "refused", issue: reading.issue, stamp, isDenied: reading.isDenied === true };
  const parsed = parseLooseJson(reading.text, file);
  if (parsed.ok) return { kind: "read", value: parsed.value, stamp };
  const { code, detail } = parsed.issue;
  return { kind: "refused", issue: prepareIssue(root, code, file, detail), stamp, isDenied: false };
}

/** The problems of a file's fields as issues about it. */
export function reportFields(
  root: LoadRoot,
  file: string,
  problems: readonly FieldProblem[],
  issues: LoadIssue[],
): void {
  for (const { field, detail } of problems)
    issues.push(prepareIssue(root, "field_invalid", file, field === "" ? detail : `${field}: ${detail}`));
}
