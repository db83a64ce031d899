import type { LoadIssue } from "@/lib/core/domain/load-issue";

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [SPACE, LINE_FEED, CARRIAGE_RETURN, TAB] = [0x20, 0x0a, 0x0d, 0x09];

/** A job of 100,000 trials holds 1.8 million values of up to 200 bytes in memory. */
export const MOST_JOB_VALUES = 4_000_000;
/** Forty times the largest real file so far. */
export const MOST_TRIAL_VALUES = 500_000;

/** Counts JSON values, up to `most` + 1. A text of at most `most` characters only gets an upper bound. */
export function countValues(text: string, most: number): number {
  if (text.length <= most) return Math.max(1, text.length);
  let n = 1;
  for (let at = 0; at < text.length && n <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findStringEnd(text, at);
    else if (code === COMMA) n++;
    else if ((code === OPEN_LIST || code === OPEN_OBJECT) && !isEmptyAfter(text, at)) n++;
  }
  return n;
}

export function findTooManyValues(text: string, path: string, most: number): LoadIssue | null {
  if (countValues(text, most) <= most) return null;
  const limit = most.toLocaleString("en-US");
  const detail = `It has more than ${limit} values, and such files are not read. The file itself can be opened.`;
  return { code: "too_many_values", path, detail };
}

function isEmptyAfter(text: string, opened: number): boolean {
  for (let at = opened + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === CLOSE_LIST || code === CLOSE_OBJECT) return true;
    if (code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return false;
  }
  return true;
}

/** Returns the index of the closing quote; the text length if unterminated. */
export function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
