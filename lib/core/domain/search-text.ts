/** Consecutive words, in lower case. A search finds a trial whose texts contain every term. */
export interface SearchTerm {
  readonly tokens: readonly string[];
  readonly isPrefix: boolean;
}

/** Letters, digits and marks make words; in scripts without spaces each character is a word. */
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const LONGEST_WORD = 40;
/** Characters indexed per trial: of one message or output, of its tests' names, and in total. */
export const TEXT_LIMITS = { textChars: 100_000, namesChars: 40_000, trialChars: 1_000_000 } as const;

const MOST_TERMS = 20;

export function listWords(text: string): readonly string[] {
  return Array.from(text.matchAll(WORD), ([word]) =>
    word.slice(0, LONGEST_WORD).toLowerCase().toWellFormed(),
  );
}

/**
 * Parses words, phrases in double quotes, and `*` at the end of either for a prefix. Every other character only separates words.
 * Empty for a text without a word.
 */
export function parseSearch(text: string): readonly SearchTerm[] {
  return Array.from(text.matchAll(/"([^"]*)"?(\*?)|([^\s"]+)/g), ([, phrase, star, plain]) => ({
    tokens: listWords(phrase ?? plain ?? ""),
    isPrefix: phrase === undefined ? plain?.endsWith("*") === true : star === "*",
  }))
    .filter(({ tokens }) => tokens.length > 0)
    .slice(0, MOST_TERMS);
}

export function makeTermPattern({ tokens, isPrefix }: SearchTerm): RegExp {
  const parts = tokens.map((token, at) => {
    const isOpen = token.length >= LONGEST_WORD || (isPrefix && at === tokens.length - 1);
    return isOpen ? String.raw`${token}[\p{L}\p{N}\p{M}]*` : token;
  });
  const [before, after] = [String.raw`(?<![\p{L}\p{N}\p{M}])`, String.raw`(?![\p{L}\p{N}\p{M}])`];
  const isRun = tokens.some((token) => /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u.test(token));
  if (isRun) return new RegExp(parts.join(String.raw`[^\p{L}\p{N}\p{M}]*`), "giu");
  return new RegExp(`${before}${parts.join(String.raw`[^\p{L}\p{N}\p{M}]+`)}${after}`, "giu");
}
