import { decodePythonText, parsePythonFloat, PythonError } from "@/lib/core/scoring";

import { isJsonObject, readJsonText } from "./json-input";
import type { EvaluationResult } from "./models";
import { parseEvaluationResult } from "./parse";
import { namePythonType } from "./read-scalar";
import { getLeniency, toStrictness, type Leniency } from "./strictness";
import type { ContractOptions, JsonValue, Parsed } from "./types";

/** A verifier's files, and the runner's finding about the agent's output. */
export interface VerifierArtifacts extends ContractOptions {
  readonly reward: Uint8Array | null;
  readonly details: Uint8Array | null;
  /** True if the output parsed as its declared format. Nothing here reads the output itself. */
  readonly outputParseable: boolean;
  readonly schemaValid: boolean;
}

/** The one error of a result whose verifier wrote no reward. */
const MISSING_REWARD = "missing verifier reward artifact";

/**
 * Returns the evaluation result of a trial from its verifier's files: reward.json is the reward, unchanged, and details.json the
 * breakdown.
 * @returns reward 0.0 with `verifier_completed` false without a reward file; issues for a broken file. Never throws
 */
export function ingestVerifierArtifacts(artifacts: VerifierArtifacts): Parsed<EvaluationResult> {
  try {
    return ingest(artifacts);
  } catch {
    return { ok: false, issues: [{ path: [], code: "unreadable", message: "Input could not be read" }] };
  }
}

function ingest(artifacts: VerifierArtifacts): Parsed<EvaluationResult> {
  const leniency = getLeniency(toStrictness(artifacts.strictness));
  const file = readFile(artifacts.reward, "reward");
  const details = readFile(artifacts.details, "breakdown");
  const reward = file.ok ? readReward(file.value, leniency) : file;
  if (!reward.ok || !details.ok) {
    return {
      ok: false,
      issues: [...(reward.ok ? [] : reward.issues), ...(details.ok ? [] : details.issues)],
    };
  }
  const isThere = reward.value !== null;
  const parsed = parseEvaluationResult(
    {
      reward: reward.value ?? 0,
      validity: {
        output_parseable: artifacts.outputParseable,
        schema_valid: artifacts.schemaValid,
        verifier_completed: isThere,
        errors: isThere ? [] : [MISSING_REWARD],
      },
      breakdown: details.value,
    },
    { contract: artifacts.contract, strictness: artifacts.strictness },
  );
  // Here the reference validates Python's values instead of a JSON text, and its messages differ.
  if (parsed.ok) return parsed;
  const message = "Input should be a valid dictionary";
  return {
    ok: false,
    issues: parsed.issues.map((one) => (one.code === "dict_type" ? { ...one, message } : one)),
  };
}

function readFile(bytes: Uint8Array | null | undefined, field: "reward" | "breakdown"): Parsed<JsonValue> {
  if (bytes === null || bytes === undefined) return { ok: true, value: null };
  const text = decode(bytes);
  if (text === null) return fail(field, "UnicodeDecodeError", describeUtf8Error(bytes));
  const parsed = readJsonText(text);
  if (parsed.ok) return parsed;
  return { ok: false, issues: parsed.issues.map((issue) => ({ ...issue, path: [field] })) };
}

function decode(bytes: Uint8Array): string | null {
  try {
    return decodePythonText(bytes);
  } catch {
    return null;
  }
}

/** Returns the reward as Python's `float()` reads it; null where the file has none. */
function readReward(file: JsonValue, leniency: Leniency): Parsed<number | null> {
  if (file === null) return { ok: true, value: null };
  if (!isJsonObject(file)) {
    return fail("reward", "AttributeError", `'${namePythonType(file)}' object has no attribute 'get'`);
  }
  const reward = file["reward"];
  if (reward === undefined) {
    return leniency.absentRewardKey ? { ok: true, value: 0 } : fail("reward", "missing", "Field required");
  }
  if (typeof reward === "number") return { ok: true, value: reward };
  if (!leniency.otherTypesAsNumber) return fail("reward", "float_type", "Input should be a valid number");
  if (typeof reward === "boolean") return { ok: true, value: reward ? 1 : 0 };
  if (typeof reward === "string") return readRewardText(reward, leniency);
  const message = `float() argument must be a string or a real number, not '${namePythonType(reward)}'`;
  return fail("reward", "TypeError", message);
}

function readRewardText(text: string, leniency: Leniency): Parsed<number> {
  const isRefused =
    (!leniency.underscores && text.includes("_")) || (!leniency.foreignDigits && hasForeignDigit(text));
  const message = `could not convert string to float: ${quotePython(text)}`;
  if (isRefused) return fail("reward", "ValueError", message);
  try {
    return { ok: true, value: parsePythonFloat(text) };
  } catch (error) {
    if (error instanceof PythonError) return fail("reward", error.name, message);
    throw error;
  }
}

function hasForeignDigit(text: string): boolean {
  return /\p{Nd}/u.test(text.replace(/\d/g, ""));
}

/** Returns Python's `repr` of a text, without its escapes for non-printable characters. */
function quotePython(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
  return quote + inside + quote;
}

function fail(field: "reward" | "breakdown", code: string, message: string): Parsed<never> {
  return { ok: false, issues: [{ path: [field], code, message }] };
}

/** Returns the length of a sequence that begins with this byte, and the range of its second byte; null for an invalid lead. */
function describeLead(byte: number): { length: number; low: number; high: number } | null {
  if (byte >= 0xc2 && byte <= 0xdf) return { length: 2, low: 0x80, high: 0xbf };
  if (byte >= 0xe0 && byte <= 0xef) {
    return { length: 3, low: byte === 0xe0 ? 0xa0 : 0x80, high: byte === 0xed ? 0x9f : 0xbf };
  }
  if (byte >= 0xf0 && byte <= 0xf4) {
    return { length: 4, low: byte === 0xf0 ? 0x90 : 0x80, high: byte === 0xf4 ? 0x8f : 0xbf };
  }
  return null;
}

/** Returns CPython's message for the first bytes that are not UTF-8. */
function describeUtf8Error(bytes: Uint8Array): string {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      at++;
      continue;
    }
    const lead = describeLead(byte);
    if (lead === null) return word(byte, at, at, "invalid start byte");
    for (let index = 1; index < lead.length; index++) {
      const next = bytes[at + index];
      if (next === undefined) return word(byte, at, at + index - 1, "unexpected end of data");
      const isFine = index === 1 ? next >= lead.low && next <= lead.high : next >= 0x80 && next <= 0xbf;
      if (!isFine) return word(byte, at, at + index - 1, "invalid continuation byte");
    }
    at += lead.length;
  }
  return "'utf-8' codec can't decode the bytes";
}

function word(byte: number, first: number, last: number, reason: string): string {
  const what =
    first === last
      ? `byte 0x${byte.toString(16).padStart(2, "0")} in position ${String(first)}`
      : `bytes in position ${String(first)}-${String(last)}`;
  return `'utf-8' codec can't decode ${what}: ${reason}`;
}
