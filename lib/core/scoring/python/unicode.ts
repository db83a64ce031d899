// First code point (digit zero) of every run of ten decimal digits in Unicode 15, the data of CPython 3.12 and 3.13. A fixed
// table, since `\p{Nd}` depends on the JavaScript engine.
const DIGIT_ZEROS: readonly number[] = [
  0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
  0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
  0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0,
  0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50,
  0x11da0, 0x11f50, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0,
  0x1e4f0, 0x1e950, 0x1fbf0,
];

const ASCII_SPACE = " \t\n\v\f\r";
const NON_ASCII_SPACE =
  "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";
const NUMBER_SPACES: ReadonlySet<string> = new Set(ASCII_SPACE);
const UNICODE_SPACES: ReadonlySet<string> = new Set(ASCII_SPACE + NON_ASCII_SPACE);
const STR_SPACES: ReadonlySet<string> = new Set(`${ASCII_SPACE}\x1c\x1d\x1e\x1f${NON_ASCII_SPACE}`);
const STR_SPACE_RUN = new RegExp(`[${[...STR_SPACES].join("")}]+`, "g");
// Without `u`, this pattern would split surrogate pairs.
const NON_ASCII = /[^\0-\x7f]/gu;

/** A loop, since a pattern for trailing white space takes quadratic time on text with long runs inside. */
function trimBy(text: string, spaces: ReadonlySet<string>): string {
  let start = 0;
  let end = text.length;
  while (start < end && spaces.has(text.charAt(start))) start++;
  while (end > start && spaces.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function toAsciiDigitOrSpace(char: string): string {
  if (UNICODE_SPACES.has(char)) return " ";
  const codePoint = Number(char.codePointAt(0));
  const zero = DIGIT_ZEROS.find((start) => codePoint >= start && codePoint < start + 10);
  // "?" is in no number, so the text fails to parse, as in CPython.
  return zero === undefined ? "?" : String(codePoint - zero);
}

/**
 * Returns the text that CPython's number constructors see. Decimal digits of any script become ASCII digits, non-ASCII white space
 * a space, any other non-ASCII character `?`. The result is trimmed of C white space, without `\x1c` to `\x1f`.
 */
export function toAsciiNumberText(text: string): string {
  return trimBy(text.replace(NON_ASCII, toAsciiDigitOrSpace), NUMBER_SPACES);
}

/** `str.strip()`. */
export function stripPythonSpace(text: string): string {
  return trimBy(text, STR_SPACES);
}

/** `separator.join(text.split())`. */
export function joinPythonWords(text: string, separator: string): string {
  return stripPythonSpace(text).replace(STR_SPACE_RUN, separator);
}

/** Trims Unicode white space at both ends, as Rust's `str::trim` and so pydantic do. */
export function trimUnicodeSpace(text: string): string {
  return trimBy(text, UNICODE_SPACES);
}
