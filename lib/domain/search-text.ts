/**
 * One thing that a search asks for: words that follow each other, in lower case. A trial is found when it has every term
 * somewhere in its texts.
 */
export interface SearchTerm {
  readonly tokens: readonly string[];
  /** Whether the last word may go on. */
  readonly isPrefix: boolean;
}

/** Letters, digits and marks make words; scripts without blanks have a word a character. */
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** A longer word, such as encoded bytes, is known by its beginning. */
const LONGEST_WORD = 40;
/** Characters that are kept of a trial to be searched: of a message or output, of its tests' names, and of it all. */
export const TEXT_LIMITS = { textChars: 100_000, namesChars: 40_000, trialChars: 1_000_000 } as const;

/** More terms than this are not looked for. */
const MOST_TERMS = 20;

/** The words of a text, in lower case and in their order. */
export function listWords(text: string): readonly string[] {
  return Array.from(text.matchAll(WORD), ([word]) =>
    word.slice(0, LONGEST_WORD).toLowerCase().toWellFormed(),
  );
}

/**
 * What a search asks for: each word between blanks, words between double quotes as they follow each other, and with `*` at
 * the end of either whatever begins so. Every other character only parts words. Empty for a text without a word.
 */
export function parseSearch(text: string): readonly SearchTerm[] {
  return Array.from(text.matchAll(/"([^"]*)"?(\*?)|([^\s"]+)/g), ([, phrase, star, plain]) => ({
    tokens: listWords(phrase ?? plain ?? ""),
    isPrefix: phrase === undefined ? plain?.endsWith("*") === true : star === "*",
  }))
    .filter(({ tokens }) => tokens.length > 0)
    .slice(0, MOST_TERMS);
}

/** What finds every place of a term in a text as it is written, by `matchAll`. */
export function makeTermPattern({ tokens, isPrefix }: SearchTerm): RegExp {
  const parts = tokens.map((token, at) => {
    const isOpen = token.length >= LONGEST_WORD || (isPrefix && at === tokens.length - 1);
    return isOpen ? String.raw`${token}[\p{L}\p{N}\p{M}]*` : token;
  });
  const [before, after] = [String.raw`(?<![\p{L}\p{N}\p{M}])`, String.raw`(?![\p{L}\p{N}\p{M}])`];
  const isRun = tokens.some((token) => /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u.test(token));
  // Words of scripts without blanks stand side by side.
  if (isRun) return new RegExp(parts.join(String.raw`[^\p{L}\p{N}\p{M}]*`), "giu");
  return new RegExp(`${before}${parts.join(String.raw`[^\p{L}\p{N}\p{M}]+`)}${after}`, "giu");
}
