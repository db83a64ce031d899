/**
 * Text as a column on either engine can hold it: NUL, which PostgreSQL refuses, and lone surrogates, which neither
 * keeps, become U+FFFD. For columns that are searched, sorted and shown; what must come back unchanged is stored as bytes
 * or as JSON.
 */
export function toColumnText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
