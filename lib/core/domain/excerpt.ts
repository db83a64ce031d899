const BEFORE_CHARS = 40;
const MATCH_CHARS = 120;
const AFTER_CHARS = 120;

export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export function takeExcerpt(text: string, start: number, end: number): Excerpt {
  // Copied, since a slice would keep all of the text in memory.
  const oneLine = (from: number, to: number) =>
    Buffer.from(text.slice(from, to).replaceAll(/\s+/g, " ")).toString();
  return {
    before: oneLine(Math.max(0, start - BEFORE_CHARS), start),
    match: oneLine(start, Math.min(end, start + MATCH_CHARS)),
    after: oneLine(end, end + AFTER_CHARS),
  };
}
