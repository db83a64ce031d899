import type { Random } from "./random";

/** Sizes of the texts and lists of hostile jobs. */
export interface HostileSize {
  /** Characters of a name or a message. */
  readonly chars: number;
  /** Entries of a list or an object. */
  readonly items: number;
}

/** Contents by path; anything but text becomes JSON. */
export type Files = Readonly<Record<string, unknown>>;

/** Markup, line breaks, other alphabets, half characters: possible parts of a text. */
const PIECES = [
  "a",
  "<b>&\"'",
  "\u202e\u0000\n",
  "名前",
  "\ud83d\ude00",
  "\ud83d",
  "-",
  "__",
  "/../",
  "%2e%",
];

const LONG_NAME = 290;

/** Texts and lists of one size, from the same stream every time. */
export class Grower {
  readonly size: HostileSize;
  private readonly random: Random;

  constructor(size: HostileSize, random: Random) {
    this.size = size;
    this.random = random;
  }

  /** A text of the size, another one with every call. */
  text(): string {
    const piece = `${this.word()}${PIECES[this.random.int(0, PIECES.length - 1)] ?? ""}`;
    return piece.repeat(Math.ceil(this.size.chars / piece.length)).slice(0, this.size.chars);
  }

  word(): string {
    return `w${this.random.int(0, 1 << 30)}`;
  }

  /** A name as long as names are shown, of characters that take many bytes in an address; another one for another number. */
  name(n: number): string {
    return `${n} `.padEnd(LONG_NAME, "名");
  }

  list<T>(make: (n: number) => T): readonly T[] {
    return Array.from({ length: this.size.items }, (_, n) => make(n));
  }

  object<T>(make: (n: number) => T): Readonly<Record<string, T>> {
    const isLong = this.size.chars > LONG_NAME;
    return Object.fromEntries(this.list((n) => [isLong ? this.name(n) : `key ${n}`, make(n)]));
  }
}

/** Oversized content of a part of result.json, or of a file in the trial's or job's folder. */
interface Growth {
  readonly result?: object;
  /** By path below the trial. */
  readonly files?: Files;
  /** By path below the job. */
  readonly jobFiles?: Files;
}

/** The content of a hostile job, of one size. */
export type Grow = (grow: Grower) => Growth;
