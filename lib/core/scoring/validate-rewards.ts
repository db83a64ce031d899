import { trimUnicodeSpace } from "./python/unicode";
import { isPyNumber, type PyValue, type RewardDict } from "./python/value";

export interface RewardsProblem {
  /** `dict_type`: not an object; `float_type`: a value of another type; `float_parsing`: text that is not a number. */
  readonly type: "dict_type" | "float_type" | "float_parsing";
  /** Invalid reward key, null when the whole value is invalid. */
  readonly key: string | null;
}

export type ValidatedRewards =
  | { readonly ok: true; readonly rewards: RewardDict | null }
  | { readonly ok: false; readonly problems: readonly RewardsProblem[] };

const RUST_FLOAT = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|(nan)|(inf(?:inity)?))$/i;

/**
 * Validates what a verifier wrote as pydantic's `dict[str, float | int] | None`, as Harbor does.
 * @returns ints and floats stay; `true` and `false` become 1.0 and 0.0; numeric text becomes a float (rarely an int). Otherwise
 * one problem per invalid value
 * @see harbor 0.13.1 src/harbor/models/verifier/result.py, `VerifierResult`; pydantic-core 2.50 src/input
 */
export function validateRewards(value: PyValue): ValidatedRewards {
  if (value === null) return { ok: true, rewards: null };
  if (!(value instanceof Map)) return { ok: false, problems: [{ type: "dict_type", key: null }] };
  const rewards: RewardDict = new Map();
  const problems: RewardsProblem[] = [];
  for (const [key, item] of value) {
    const number = coerceNumber(item);
    if (number !== null) rewards.set(key, number);
    else problems.push({ type: typeof item === "string" ? "float_parsing" : "float_type", key });
  }
  return problems.length === 0 ? { ok: true, rewards } : { ok: false, problems };
}

function coerceNumber(value: PyValue): bigint | number | null {
  if (typeof value === "string") return parsePydanticFloat(value) ?? parseLaxInt(value);
  if (!isPyNumber(value)) return null;
  return typeof value === "boolean" ? Number(value) : value;
}

/**
 * Returns the double that pydantic's lax `float` reads from a text, null where it refuses. It tries Rust's float grammar on the
 * trimmed text, then on the untrimmed text without its single underscores. Unlike in Python's `float`, digits of other scripts are
 * refused.
 * @see pydantic-core 2.50 src/input/shared.rs, `str_as_float`
 */
export function parsePydanticFloat(text: string): number | null {
  return parseRustFloat(trimUnicodeSpace(text)) ?? parseRustFloat(stripUnderscores(text));
}

function parseRustFloat(text: string | null): number | null {
  const match = text === null ? null : RUST_FLOAT.exec(text);
  if (match === null) return null;
  if (match[1] !== undefined) return NaN;
  if (match[2] === undefined) return Number(match[0]);
  return match[0].startsWith("-") ? -Infinity : Infinity;
}

/** Returns null where underscores are doubled or at an end. */
function stripUnderscores(text: string): string | null {
  if (text.startsWith("_") || text.endsWith("_") || text.includes("__")) return null;
  return text.replaceAll("_", "");
}

// Sign, then: digits; only zeros; or zeros that are dropped before digits or a second, negative number.
const LAX_INT = /^([+-]?)(?:([1-9][\d_]*)|0(?:[0_]*0)?|0[0_]*([1-9][\d_]*|-[1-9_][\d_]*|-0))(?:\.0+)?$/;
const NEGATIVE_WITH_ZEROS = /^-0\d/;

/**
 * The int branch of the union, reached only by text that is not a float: white space together with underscores (`" 1_0"` is 10)
 * and a quirk of the zero stripping (`"0-5"` is -5).
 */
function parseLaxInt(text: string): bigint | null {
  const match = LAX_INT.exec(trimUnicodeSpace(text));
  if (match === null) return null;
  const isNegative = match[1] === "-";
  const digits = stripUnderscores(match[2] ?? match[3] ?? "0");
  if (digits === null || (isNegative && digits.startsWith("-")) || NEGATIVE_WITH_ZEROS.test(digits))
    return null;
  return isNegative ? -BigInt(digits) : BigInt(digits);
}
