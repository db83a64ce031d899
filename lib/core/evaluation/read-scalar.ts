import { parsePydanticFloat, stripPythonSpace, trimUnicodeSpace } from "@/lib/core/scoring";

import { Fault } from "./fault";
import type { Leniency } from "./strictness";

const INT_TEXT = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/;
const MAX_LONG = 2 ** 63;
const TRUE_WORDS: ReadonlySet<string> = new Set(["1", "on", "t", "true", "y", "yes"]);
const FALSE_WORDS: ReadonlySet<string> = new Set(["0", "f", "false", "n", "no", "off"]);

/** Reads a number like pydantic's lax `float`. */
export function readFloat(value: unknown, leniency: Leniency): number | Fault {
  if (typeof value === "number") return value;
  if (!leniency.otherTypesAsNumber) return new Fault("float_type", "Input should be a valid number");
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return new Fault("float_type", "Input should be a valid number");
  const number = !leniency.underscores && value.includes("_") ? null : parsePydanticFloat(value);
  return (
    number ?? new Fault("float_parsing", "Input should be a valid number, unable to parse string as a number")
  );
}

/** Does the same, and refuses NaN and infinities unless `leniency` allows them. */
export function readMeasure(value: unknown, leniency: Leniency): number | Fault {
  const number = readFloat(value, leniency);
  if (number instanceof Fault || leniency.nonFinite || Number.isFinite(number)) return number;
  return new Fault("finite_number", "Input should be a finite number");
}

/** Reads an integer of at least 0 like pydantic's lax `int`. */
export function readCount(value: unknown, leniency: Leniency): number | Fault {
  const number = readInt(value, leniency);
  if (number instanceof Fault || number >= 0) return number;
  return new Fault("greater_than_equal", "Input should be greater than or equal to 0");
}

function readInt(value: unknown, leniency: Leniency): number | Fault {
  if (typeof value === "number") return readWhole(value);
  if (!leniency.otherTypesAsNumber) return new Fault("int_type", "Input should be a valid integer");
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return new Fault("int_type", "Input should be a valid integer");
  const text = trimUnicodeSpace(value);
  if (!INT_TEXT.test(text) || (!leniency.underscores && text.includes("_"))) {
    return new Fault("int_parsing", "Input should be a valid integer, unable to parse string as an integer");
  }
  // Adding 0 makes a negative zero positive, as every integer zero is.
  return Number(text.replaceAll("_", "")) + 0;
}

function readWhole(value: number): number | Fault {
  if (!Number.isFinite(value)) return new Fault("finite_number", "Input should be a finite number");
  if (!Number.isInteger(value)) {
    return new Fault(
      "int_from_float",
      "Input should be a valid integer, got a number with a fractional part",
    );
  }
  if (Math.abs(value) >= MAX_LONG) {
    return new Fault("int_parsing_size", "Unable to parse input string as an integer, exceeded maximum size");
  }
  return value + 0;
}

/** Reads a truth value like pydantic's lax `bool`. */
export function readFlag(value: unknown, leniency: Leniency): boolean | Fault {
  if (typeof value === "boolean") return value;
  const isCandidate = typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value));
  if (!isCandidate || !leniency.wordsAsFlag) {
    return new Fault("bool_type", "Input should be a valid boolean");
  }
  const word = String(value).toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  return new Fault("bool_parsing", "Input should be a valid boolean, unable to interpret input");
}

export function readText(value: unknown): string | Fault {
  return typeof value === "string" ? value : new Fault("string_type", "Input should be a valid string");
}

/** Reads text that is more than Python's white space, without stripping it. */
export function readFilledText(value: unknown, leniency: Leniency): string | Fault {
  if (typeof value !== "string") {
    return leniency.exceptionForText
      ? new Fault("AttributeError", `'${namePythonType(value)}' object has no attribute 'strip'`)
      : new Fault("string_type", "Input should be a valid string");
  }
  if (stripPythonSpace(value) !== "") return value;
  return new Fault("value_error", "Value error, value must not be blank");
}

/** Returns Python's type name of a JSON value. A whole number counts as an int, since JavaScript has no other. */
export function namePythonType(value: unknown): string {
  if (value === null || value === undefined) return "NoneType";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  if (typeof value === "string") return "str";
  return Array.isArray(value) ? "list" : "dict";
}
