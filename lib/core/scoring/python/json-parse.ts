import { MAX_INT_DIGITS } from "./float-parse";
import { PythonError, type PyValue } from "./value";

/** CPython's own nesting limit is between 1,000 and 10,000, depending on the version. */
export const MAX_DEPTH = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_DICT = 0x7b;
const CLOSE_DICT = 0x7d;
// Up to 15 digits a double holds the integer exactly, and BigInt(double) is cheaper than BigInt(text).
const MAX_SAFE_DIGITS = 15;
// V8 keeps the whole source text alive behind any slice of 13 characters or more.
const MIN_SLICE_LENGTH = 13;

/**
 * Returns the value that Python's `json.loads(text)` gives; a leading byte order mark is an error.
 * @returns ints as `bigint`, floats as `number`, objects as `Map` (a repeated key keeps its first place and its last value);
 * `NaN`, `Infinity` and `-Infinity` are floats
 * @throws PythonError JSONDecodeError for bad syntax, ValueError for an int of more than 4,300 digits, RecursionError beyond 1,000
 * levels
 */
export function parsePythonJson(text: string): PyValue {
  if (text.startsWith("\ufeff")) throw new PythonError("JSONDecodeError", "Unexpected UTF-8 BOM");
  const reader = new JsonReader(text);
  const value = reader.readValue(0);
  reader.requireEnd();
  return value;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Reads a document once, in UTF-16 units; every `read` leaves the cursor behind its value. */
class JsonReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  requireEnd(): void {
    this.skipSpace();
    if (this.at !== this.text.length) throw this.fail("Extra data");
  }

  readValue(depth: number): PyValue {
    if (depth > MAX_DEPTH) {
      throw new PythonError("RecursionError", "maximum recursion depth exceeded while decoding JSON");
    }
    this.skipSpace();
    const code = this.text.charCodeAt(this.at);
    if (code === QUOTE) return this.readString();
    if (code === OPEN_DICT) return this.readDict(depth);
    if (code === OPEN_LIST) return this.readList(depth);
    if (code === MINUS || isDigit(code)) return this.readNumber();
    return this.readConstant();
  }

  private fail(reason: string): PythonError {
    return new PythonError("JSONDecodeError", `${reason}: char ${String(this.at)}`);
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  /** Consumes `code` after white space, if it is there. */
  private take(code: number): boolean {
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at++;
    return true;
  }

  private readDict(depth: number): Map<string, PyValue> {
    const dict = new Map<string, PyValue>();
    this.at++;
    if (this.take(CLOSE_DICT)) return dict;
    do {
      this.skipSpace();
      if (this.text.charCodeAt(this.at) !== QUOTE) {
        throw this.fail("Expecting property name enclosed in double quotes");
      }
      const key = this.readString();
      if (!this.take(COLON)) throw this.fail("Expecting ':' delimiter");
      dict.set(key, this.readValue(depth + 1));
    } while (this.take(COMMA));
    if (!this.take(CLOSE_DICT)) throw this.fail("Expecting ',' delimiter");
    return dict;
  }

  private readList(depth: number): PyValue[] {
    const list: PyValue[] = [];
    this.at++;
    if (this.take(CLOSE_LIST)) return list;
    do list.push(this.readValue(depth + 1));
    while (this.take(COMMA));
    if (!this.take(CLOSE_LIST)) throw this.fail("Expecting ',' delimiter");
    return list;
  }

  private readString(): string {
    const { text } = this;
    const start = this.at + 1;
    let end = text.indexOf('"', start);
    while (end !== -1 && this.isEscaped(start, end)) end = text.indexOf('"', end + 1);
    if (end === -1) throw this.fail("Unterminated string");
    this.at = end + 1;
    if (end - start < MIN_SLICE_LENGTH && this.isPlain(start, end)) return text.slice(start, end);
    return this.decodeString(start, end);
  }

  /** True if an odd run of backslashes precedes `at`. */
  private isEscaped(start: number, at: number): boolean {
    let first = at;
    while (first > start && this.text.charCodeAt(first - 1) === BACKSLASH) first--;
    return (at - first) % 2 === 1;
  }

  private isPlain(start: number, end: number): boolean {
    for (let i = start; i < end; i++) {
      const code = this.text.charCodeAt(i);
      if (code < 0x20 || code === BACKSLASH) return false;
    }
    return true;
  }

  /** The rules inside quotes are the same in both languages, and JSON.parse copies the text it returns. */
  private decodeString(start: number, end: number): string {
    try {
      return String(JSON.parse(this.text.slice(start - 1, end + 1)));
    } catch {
      throw this.fail("Invalid escape or control character in string");
    }
  }

  private skipDigits(): number {
    const start = this.at;
    while (isDigit(this.text.charCodeAt(this.at))) this.at++;
    return this.at - start;
  }

  private readNumber(): PyValue {
    const { text } = this;
    const start = this.at;
    if (text.charCodeAt(start) === MINUS) this.at++;
    if (text.charCodeAt(this.at) === ZERO) this.at++;
    else if (this.skipDigits() === 0) return this.readNegativeInfinity(start);
    const intEnd = this.at;
    this.skipFraction();
    this.skipExponent();
    const literal = text.slice(start, this.at);
    if (this.at !== intEnd) return Number(literal);
    if (literal.length <= MAX_SAFE_DIGITS) return BigInt(Number(literal));
    if (intEnd - start - (literal.startsWith("-") ? 1 : 0) > MAX_INT_DIGITS) {
      throw new PythonError("ValueError", "Exceeds the limit (4300 digits) for integer string conversion");
    }
    return BigInt(literal);
  }

  private skipFraction(): void {
    if (this.text.charCodeAt(this.at) !== DOT || !isDigit(this.text.charCodeAt(this.at + 1))) return;
    this.at++;
    this.skipDigits();
  }

  private skipExponent(): void {
    const { text } = this;
    const start = this.at;
    if ((text.charCodeAt(start) | 0x20) !== 0x65) return;
    const sign = text.charCodeAt(start + 1);
    this.at += sign === 0x2b || sign === MINUS ? 2 : 1;
    // Without digits the "e" is not part of the number, and the rest will be an error.
    if (this.skipDigits() === 0) this.at = start;
  }

  private readNegativeInfinity(start: number): number {
    this.at = start;
    if (!this.text.startsWith("-Infinity", start)) throw this.fail("Expecting value");
    this.at += "-Infinity".length;
    return -Infinity;
  }

  private readConstant(): PyValue {
    for (const [word, value] of CONSTANTS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    throw this.fail("Expecting value");
  }
}

const CONSTANTS: readonly (readonly [string, PyValue])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", NaN],
  ["Infinity", Infinity],
];
