/**
 * Text as a column on either engine can hold it: NUL, which PostgreSQL refuses, and lone surrogates, which neither
 * keeps, become U+FFFD. For columns that are searched, sorted and shown; what must come back unchanged is stored as bytes
 * or as JSON.
 */
export function toColumnText(text: string): string {
  // Almost every text is fine, and there are a dozen a trial.
  if (text.isWellFormed() && !text.includes("\0")) return text;
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
