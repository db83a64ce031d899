import { findStringEnd, findTooManyValues, MOST_TRIAL_VALUES } from "@/lib/core/domain/count-values";
import type { LoadIssue, Parsed } from "@/lib/core/domain/load-issue";

import { isNestedDeeper, MAX_NESTING } from "./json-shape";

const BARE_NUMBER = /-?(?:NaN|Infinity)\b/y;

/** Accepts bare `NaN` and `Infinity` as strings. Issues: `file_empty`, `too_many_values`, `json_torn`. */
export function parseLooseJson(text: string, path: string): Parsed<unknown> {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (body.trim() === "") return fail("file_empty", path, "The file is empty.");
  const issue = findTooManyValues(body, path, MOST_TRIAL_VALUES);
  if (issue !== null) return { ok: false, issue };
  const strict = parseStrictJson(body, path);
  if (strict.ok) return strict;
  const quoted = quoteBareNumbers(body);
  return quoted === body ? strict : parseStrictJson(quoted, path);
}

function parseStrictJson(text: string, path: string): Parsed<unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (!isNestedDeeper(value)) return { ok: true, value };
    return fail("json_torn", path, `Nested more than ${MAX_NESTING} levels deep; this is not read.`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return fail("json_torn", path, `Not readable as JSON: ${error.message}`);
  }
}

function fail(code: LoadIssue["code"], path: string, detail: string): Parsed<never> {
  return { ok: false, issue: { code, path, detail } };
}

function quoteBareNumbers(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') {
      i = findStringEnd(text, i);
    } else if (char === "N" || char === "I" || char === "-") {
      BARE_NUMBER.lastIndex = i;
      const token = BARE_NUMBER.exec(text)?.[0];
      if (token === undefined) continue;
      pieces.push(text.slice(copied, i), `"${token}"`);
      copied = i + token.length;
      i = copied - 1;
    }
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(copied);
}
