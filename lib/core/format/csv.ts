const NEEDS_QUOTES = /[",\r\n]/;
// Some programs strip full-width signs and invisible characters before a sign.
const FORMULA = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/;
const NUMBER = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|Infinity)$/i;

/** Formats one CSV record (RFC 4180) with its line end. Null is empty, and text that a spreadsheet would run gets an apostrophe. */
export function formatCsvLine(fields: readonly (string | number | boolean | null)[]): string {
  return `${fields.map(formatField).join(",")}\r\n`;
}

function formatField(field: string | number | boolean | null): string {
  if (field === null) return "";
  const text = String(field);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
