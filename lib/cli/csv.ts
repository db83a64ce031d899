const NEEDS_QUOTES = /[",\r\n]/;
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * One CSV record by RFC 4180, ended by `\r\n`; null is an empty field.
 *
 * Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers, negative ones too, stay as they are.
 */
export function formatCsvRecord(fields: readonly (string | number | null)[]): string {
  return `${fields.map(formatField).join(",")}\r\n`;
}

function formatField(field: string | number | null): string {
  if (field === null) return "";
  const text = String(field);
  const safe = FORMULA.test(text) && !NUMBER.test(text) && text !== "-Infinity" ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
