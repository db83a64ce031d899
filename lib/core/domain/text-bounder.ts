import { createHash } from "node:crypto";

import { countPageBytes, fitPage, fitPageEnd } from "./page-bytes";

/** Characters: longer than any file system allows, and short enough for a page with hundreds of names. */
const MAX_NAME = 300;
/**
 * Bytes of `countPageBytes`, some 20,000 letters of one message or traceback. The next limit is for all of them in one trial if
 * not all fit, some 200,000 letters.
 */
const MAX_TEXT = 48_000;
const MAX_TRIAL_TEXTS = 480_000;
const MIN_TEXT = 2 * MAX_NAME;
/** Share of the remaining room that one text may take, so that the last ones are not cut to nothing. */
const TEXT_SHARE = 0.25;
/** Share of a page's bytes for texts. Entries of lists take the rest. */
const PAGE_SHARE = 0.7;
const ENTRY_BYTES = 400;
export const MAX_TRIAL_ITEMS = 1000;

const TEXT_FIELDS: ReadonlySet<string> = new Set(
  `message traceback trace rewardsProblem reason detail summary explanation reasoning note notes text description evidence
  error errors warnings rawJson`.split(/\s+/),
);
/** Cut at the start: the error is at the end. */
const END_FIELDS: ReadonlySet<string> = new Set(["traceback", "trace"]);
/** Bytes of the longest path that Linux opens. */
const MAX_PATH = 4096;
const PATH_FIELDS: ReadonlySet<string> = new Set(["folder", "path"]);

/**
 * Returns a name of some 300 whole characters, equal for equal names only: a longer one becomes its beginning, length and hash. A
 * lone surrogate would differ between a page's HTML and its data.
 */
export function boundName(name: string): string {
  if (name.length <= MAX_NAME)
    return name.isWellFormed() ? name : `${name.toWellFormed()} (${computeHash(name)})`;
  return `${cutText(name, MAX_NAME - 60).toWellFormed()}… (${name.length.toLocaleString("en")} characters, ${computeHash(name)})`;
}

/** Hashes UTF-16 units, since a lone surrogate has no UTF-8. */
function computeHash(name: string): string {
  return createHash("sha256").update(name, "utf16le").digest("hex").slice(0, 32);
}

/** Cuts names, texts and lists to fit a page, and records the cuts. Names that differ stay different. */
export class TextBounder {
  private readonly maxItems: number;
  private textsLeft: number;
  private doTextsFit = false;
  private bytesLeft: number;
  private itemsLeft: number;
  private nCut = 0;
  private first: string | null = null;

  /**
   * @param maxItems - entries of one list; all lists of a record have at most four times as many
   * @param maxBytes - of everything together, in bytes of `countPageBytes`: lists end where it is used up. Only for pages; the
   * index has no such limit
   */
  constructor(maxItems: number, maxBytes = Infinity) {
    this.maxItems = maxItems;
    this.itemsLeft = 4 * maxItems;
    this.bytesLeft = maxBytes;
    this.textsLeft = Math.min(MAX_TRIAL_TEXTS, PAGE_SHARE * maxBytes);
  }

  bound<T>(value: T): T {
    // If all texts fit, none makes room for others.
    this.doTextsFit = this.bytesLeft !== Infinity && countBytes(value, this.bytesLeft) <= this.bytesLeft;
    return this.walk(value, "") as T;
  }

  boundEach<T>(values: readonly T[]): T[] {
    return values.map((value) => {
      this.textsLeft = MAX_TRIAL_TEXTS;
      this.itemsLeft = 4 * this.maxItems;
      return this.bound(value);
    });
  }

  describe(): string | null {
    if (this.first === null) return null;
    const others =
      this.nCut === 1
        ? ""
        : this.nCut === 2
          ? " One other text was cut too."
          : ` ${this.nCut - 1} other texts were cut too.`;
    return `${this.first}${others} Figures use the full text, and the files have all of it.`;
  }

  note(field: string, length: number, kept: number, unit: "characters" | "entries"): void {
    this.nCut++;
    const [all, some] = [length.toLocaleString("en"), kept.toLocaleString("en")];
    this.first ??= `${field} has ${all} ${unit} and only ${some} of them are shown.`;
  }

  private walk(value: unknown, field: string): unknown {
    if (typeof value === "string") return this.boundText(value, field);
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
    if (Array.isArray(value)) return this.walkList(value, field);
    if (value instanceof Map) return this.walkMap(value, field);
    if (value instanceof Set) {
      const list = [...value];
      const some = this.walkList(list, field);
      return some === list ? value : new Set(some);
    }
    let copy: Record<string, unknown> | null = null;
    for (const [key, old] of Object.entries(value)) {
      const now = this.walk(old, key);
      if (now === old) continue;
      copy ??= { ...value };
      copy[key] = now;
    }
    return copy ?? value;
  }

  private boundText(text: string, field: string): string {
    const bound = this.shorten(text, field);
    if (this.bytesLeft !== Infinity) this.bytesLeft -= countPageBytes(bound);
    return bound;
  }

  private shorten(text: string, field: string): string {
    if (PATH_FIELDS.has(field) && text.length <= MAX_PATH) return text.toWellFormed();
    if (!TEXT_FIELDS.has(field)) {
      if (text.length > MAX_NAME) this.note(field, text.length, MAX_NAME, "characters");
      return boundName(text);
    }
    return text.length <= MAX_NAME || this.doTextsFit
      ? text.toWellFormed()
      : this.cut(text.toWellFormed(), field);
  }

  private cut(text: string, field: string): string {
    const room = Math.max(MIN_TEXT, Math.min(MAX_TEXT, TEXT_SHARE * this.textsLeft));
    const isEnd = END_FIELDS.has(field);
    const kept = isEnd ? fitPageEnd(text, room) : fitPage(text, room);
    this.textsLeft -= countPageBytes(kept);
    if (kept === text) return text;
    this.note(field, text.length, kept.length, "characters");
    const whole = `(${text.length.toLocaleString("en")} characters; the file has them all)`;
    return isEnd ? `${whole} …${kept}` : `${kept}… ${whole}`;
  }

  private walkList(list: readonly unknown[], field: string): readonly unknown[] {
    const some = this.limit(list, field);
    let copy: unknown[] | null = some === list ? null : [...some];
    for (const [index, old] of some.entries()) {
      if (this.isFull()) {
        this.note(field, list.length, index, "entries");
        return (copy ?? some).slice(0, index);
      }
      const now = this.walk(old, field);
      if (now === old) continue;
      copy ??= [...some];
      copy[index] = now;
    }
    return copy ?? list;
  }

  private walkMap(map: ReadonlyMap<unknown, unknown>, field: string): ReadonlyMap<unknown, unknown> {
    const some = this.limit([...map], field);
    let isSame = some.length === map.size;
    const entries: [unknown, unknown][] = [];
    for (const [oldKey, old] of some) {
      if (this.isFull()) {
        this.note(field, map.size, entries.length, "entries");
        return new Map(entries);
      }
      const key = typeof oldKey === "string" ? this.boundText(oldKey, `a key of ${field}`) : oldKey;
      const now = this.walk(old, typeof oldKey === "string" ? boundName(oldKey) : field);
      isSame &&= key === oldKey && now === old;
      entries.push([key, now]);
    }
    return isSame ? map : new Map(entries);
  }

  /** True if there is no room for one more entry; otherwise takes it. */
  private isFull(): boolean {
    if (this.bytesLeft < ENTRY_BYTES) return true;
    this.bytesLeft -= ENTRY_BYTES;
    return false;
  }

  private limit<T>(list: readonly T[], field: string): readonly T[] {
    const kept = Math.min(list.length, this.maxItems, this.itemsLeft);
    this.itemsLeft -= kept;
    if (list.length === kept) return list;
    this.note(field, list.length, kept, "entries");
    return list.slice(0, kept);
  }
}

export function lacksEnd(text: string): boolean {
  return /… \([\d,]{1,20} characters; the file has them all\)$/.test(text.slice(-80));
}

/** Returns a value's bytes in a page, counted until they exceed `most`. */
function countBytes(value: unknown, most: number): number {
  if (typeof value === "string") return countPageBytes(value);
  if (typeof value !== "object" || value === null) return 0;
  const isList = Array.isArray(value) || value instanceof Map || value instanceof Set;
  let sum = 0;
  for (const part of isList ? value : Object.values(value)) {
    sum += countBytes(part, most - sum) + (isList ? ENTRY_BYTES : 0);
    if (sum > most) break;
  }
  return sum;
}

export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
