const MOST_TEXTS = 10_000;

const shared = new Map<string, string>();

/**
 * Returns one shared string for equal texts. Databases create a new string per row, which costs tens of MB for 100,000 trials with
 * repeated names.
 */
export function shareText<Text extends string | null>(text: Text): Text {
  if (text === null) return text;
  const known = shared.get(text);
  if (known !== undefined) return known as Text; // Equal to it, so of its type.
  if (shared.size >= MOST_TEXTS) shared.clear();
  shared.set(text, text);
  return text;
}
