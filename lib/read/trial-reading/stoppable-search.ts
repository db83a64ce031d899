import { compilePattern, findPatternProblem, PATTERN_MS, runInTime } from "@/lib/core/domain/run-in-time";

export interface FindRequest {
  /** A text, or the source of a regular expression; empty finds nothing. */
  readonly text: string;
  readonly isPattern: boolean;
  readonly isCased: boolean;
}

/** A match in one of the texts, in UTF-16 units. */
export type Place = readonly [text: number, start: number, end: number];

const TOO_SLOW = "This pattern takes too long on so much text. Simplify it, or search for plain text.";

export class StoppableSearch {
  private readonly pattern: RegExp | string;
  private msLeft = PATTERN_MS;

  constructor({ text, isPattern, isCased }: FindRequest) {
    const source = isPattern ? text : text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    const flags = isCased ? "gm" : "gim";
    const problem = findPatternProblem(source, flags);
    this.pattern = problem === null ? compilePattern(source, flags) : `Not a regular expression: ${problem}.`;
  }

  /** Returns matches in order, or a sentence on the failure. Each owner's first match is returned even beyond `most`. */
  run(texts: readonly string[], owners: readonly number[], most: number): readonly Place[] | string {
    const { pattern } = this;
    if (typeof pattern === "string") return pattern;
    const start = performance.now();
    const places = runInTime(() => findAll(pattern, texts, owners, most), this.msLeft);
    this.msLeft -= performance.now() - start;
    return places ?? TOO_SLOW;
  }
}

function findAll(
  pattern: RegExp,
  texts: readonly string[],
  owners: readonly number[],
  most: number,
): readonly Place[] {
  const places: Place[] = [];
  let last: number | undefined;
  for (const [at, text] of texts.entries()) {
    pattern.lastIndex = 0;
    while (places.length < most || owners[at] !== last) {
      const found = pattern.exec(text);
      if (found === null) break;
      places.push([at, found.index, pattern.lastIndex]);
      last = owners[at];
      if (found[0] === "") pattern.lastIndex++;
    }
  }
  return places;
}
