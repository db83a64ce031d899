/** Texts that are kept for others to share: names of tasks, agents and models, far fewer than trials have them. */
const MOST_TEXTS = 10_000;

const shared = new Map<string, string>();

/**
 * The text, as the one string that all rows with it hold: databases make a new string for each row, which of names that 100,000 trials
 * have a hundred times each is tens of megabytes. Null stays null.
 */
export function shareText<Text extends string | null>(text: Text): Text {
  if (text === null) return text;
  const known = shared.get(text);
  if (known !== undefined) return known as Text; // Equal to it, so of its type.
  if (shared.size >= MOST_TEXTS) shared.clear();
  shared.set(text, text);
  return text;
}
