/**
 * Seeded pseudo random numbers of the sample generator.
 *
 * sfc32 (Doty-Humphrey's small fast chaotic generator, 32-bit words), seeded by hashing a text with FNV-1a in four
 * variants. The same seed and label give the same stream on every platform: only 32-bit integer operations are used.
 */
const SHORT_ID_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const HEX = "0123456789abcdef";

function hashWord(text: string, basis: number): number {
  let hash = basis >>> 0;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** One deterministic stream of pseudo random values; `fork` gives independent sub-streams. */
export class Random {
  readonly #label: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** @param label - any text; equal labels give equal streams */
  constructor(label: string) {
    this.#label = label;
    this.#a = hashWord(label, 0x811c9dc5);
    this.#b = hashWord(label, 0x2f0b4e37);
    this.#c = hashWord(label, 0x9747b28c);
    for (let i = 0; i < 12; i += 1) this.word();
  }

  /** A stream that depends on this stream's label and `name` only, never on how much was drawn here. */
  fork(name: string): Random {
    return new Random(`${this.#label}/${name}`);
  }

  /** Next 32-bit unsigned integer. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter) >>> 0;
    this.#counter = (this.#counter + 1) >>> 0;
    this.#a = (this.#b ^ (this.#b >>> 9)) >>> 0;
    this.#b = (this.#c + (this.#c << 3)) >>> 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) >>> 0;
    return sum;
  }

  /** Uniform double in [0, 1) with 32 random bits. */
  unit(): number {
    return this.word() / 4294967296;
  }

  /** Uniform integer in [low, high], both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  /** Uniform double in [low, high). */
  between(low: number, high: number): number {
    return low + this.unit() * (high - low);
  }

  /** True with probability `p`. */
  chance(p: number): boolean {
    return this.unit() < p;
  }

  /** One element of a non-empty list. @throws RangeError on an empty list */
  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new RangeError("cannot pick from an empty list");
    return item;
  }

  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ item, key: this.word() }));
    return keyed.sort((x, y) => x.key - y.key).map(({ item }) => item);
  }

  /** `count` elements in their original order. */
  sample<T>(items: readonly T[], count: number): T[] {
    const chosen = new Set(this.shuffle(items.map((_, index) => index)).slice(0, count));
    return items.filter((_, index) => chosen.has(index));
  }

  /** `length` lower-case hexadecimal digits. */
  hex(length: number): string {
    let text = "";
    for (let i = 0; i < length; i += 1) text += HEX.charAt(this.word() >>> 28);
    return text;
  }

  /** A text with the form of a version 4 UUID. */
  uuid(): string {
    const variant = HEX.charAt(8 + (this.word() & 3));
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`;
  }

  /** Seven characters as at the end of Harbor's trial names. */
  shortId(): string {
    let text = "";
    for (let i = 0; i < 7; i += 1)
      text += SHORT_ID_ALPHABET.charAt(this.int(0, SHORT_ID_ALPHABET.length - 1));
    return text;
  }
}
