/** Widths in em, the widest of Geist, DejaVu Sans and Liberation Sans. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ ',.:;I[\]ijl|]/, 0.34],
  [/[!"()\-/\\frt]/, 0.48],
  [/[#%+<=>@MW^mw~]/, 1.04],
  [/[A-Z&]/, 0.79],
  [/\d/, 0.66],
  [/[\0-~]/, 0.64],
];
/** Anything that is not ASCII: an ideograph, an emoji, a wide Cyrillic letter. */
const FOREIGN = 1.1;
const BOLD = 1.12;

const TEXT_SIZE = 12;

function widthOf(character: string): number {
  return WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? FOREIGN;
}

/** Returns the most pixels that a text takes on one line in any of the usual fonts. */
export function measureText(text: string, { size = TEXT_SIZE, isBold = false } = {}): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width * size * (isBold ? BOLD : 1);
}

const ELLIPSIS = "…";

/** Splits graphemes, so that none is torn apart. */
const SEGMENTER = new Intl.Segmenter("en");

/** Names that begin alike mostly differ at their end. */
const END_SHARE = 0.6;

/** Shortens a text to `room` pixels, with an ellipsis before its end, which has `endShare` of the room. */
export function fitText(text: string, room: number, endShare = END_SHARE): string {
  if (measureText(text) <= room) return text;
  const characters = Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
  const widths = characters.map((character) => measureText(character));
  const take = (from: number, step: 1 | -1, limit: number): number => {
    let count = 0;
    let used = 0;
    while (count < characters.length) {
      used += widths[from + step * count] ?? 0;
      if (used > limit) break;
      count += 1;
    }
    return count;
  };
  const left = room - measureText(ELLIPSIS);
  const nEnd = take(characters.length - 1, -1, left * endShare);
  const end = characters.slice(characters.length - nEnd).join("");
  const nStart = take(0, 1, left - measureText(end));
  return `${characters.slice(0, nStart).join("").trimEnd()}${ELLIPSIS}${end.trimStart()}`;
}

/** Shortens names to `room` pixels each: omits what all begin or end with, then cuts the rest. */
export function shortenNames(names: readonly string[], room: number): readonly string[] {
  const fits = (shown: readonly string[]) => shown.every((name) => measureText(name) <= room);
  if (fits(names)) return names;
  const words = names.map(listWords);
  const nHead = countCommon(words);
  for (let count = 1; count <= nHead; count++) {
    const shown = cutWords(words, count, 0);
    if (fits(shown)) return shown;
  }
  const nTail = countCommon(words.map((own) => own.slice(nHead).reverse()));
  return cutWords(words, nHead, nTail).map((name) => fitText(name, room, nHead > 0 ? 0 : END_SHARE));
}

/** Each word ends with what separates it from the next one. */
function listWords(name: string): readonly string[] {
  return name.match(/[^\s/:_-]+[\s/:_-]*|[\s/:_-]+/g) ?? [name];
}

/**
 * Removes the words that all begin with, then those that all end with, as few as make every name at most `longest` characters. The
 * rest stays whole; it has a meaning and differs, or nothing is removed.
 */
export function dropShared(names: readonly string[], longest: number): readonly string[] {
  const fits = (shown: readonly string[]) => shown.every((name) => name.length <= longest);
  const words = names.map(listWords);
  const nHead = countCommon(words);
  const nTail = countCommon(words.map((own) => own.slice(nHead).reverse()));
  let best = names;
  for (let count = 1; count <= nHead + nTail && !fits(best); count++) {
    const [head, tail] = [Math.min(count, nHead), Math.max(0, count - nHead)];
    const shown = words.map((own) => {
      const kept = own.slice(head, own.length - tail);
      return kept
        .map((word, at) => (at === kept.length - 1 ? /^[^\s/:_-]*/u.exec(word)?.[0] : word))
        .join("")
        .replace(/^\(([^()]*)\)$/u, "$1");
    });
    if (shown.every((name) => /\p{L}.*./u.test(name)) && new Set(shown).size === names.length) best = shown;
  }
  return best;
}

/** Returns how many words all begin with, leaving each at least one; 0 for a single name. */
function countCommon(words: readonly (readonly string[])[]): number {
  if (words.length < 2) return 0;
  const most = Math.min(...words.map((own) => own.length - 1));
  for (let count = 0; count < most; count++) {
    if (words.some((own) => own[count] !== words[0]?.[count])) return count;
  }
  return Math.max(0, most);
}

function cutWords(words: readonly (readonly string[])[], nHead: number, nTail: number): readonly string[] {
  return words.map((own) => {
    const kept = own
      .slice(nHead, own.length - nTail)
      .join("")
      .trim();
    return `${nHead > 0 ? ELLIPSIS : ""}${kept}${nTail > 0 ? ELLIPSIS : ""}`;
  });
}

export function wrapText(
  text: string,
  room: number,
  form?: Parameters<typeof measureText>[1],
): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (measureText(longer, form) <= room) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const character of word) {
      if (line !== "" && measureText(line + character, form) > room) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
  }
  return line === "" ? lines : [...lines, line];
}
