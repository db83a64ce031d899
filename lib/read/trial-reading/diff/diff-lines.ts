import { cutText } from "@/lib/core/domain/text-bounder";
import type { TextLine } from "@/lib/core/domain/trial-file";
import { countLineBytes, prepareTextBlock } from "@/lib/read/loader/detail";

import { alignSequences } from "./align";

export interface DiffLine {
  readonly number: number;
  readonly text: TextLine;
  /** Range in `text` that differs from the other line; null if all or nothing differs. */
  readonly mark: { readonly from: number; readonly to: number } | null;
}

export type DiffRow =
  | { readonly kind: "same" | "differs"; readonly a: DiffLine | null; readonly b: DiffLine | null }
  | { readonly kind: "fold"; readonly count: number };

export type LineDiff = ReturnType<typeof diffLines>;

const CONTEXT = 3;
const MAX_ROWS = 600;
const MAX_BYTES = 700_000;
const MAX_LINE_CHARS = 600;
/** Characters shown before a difference in a long line. */
const LEAD_CHARS = 120;

/** Aligns lines by bytes, including line ends. @param a - lines with their ends, one character per byte */
export function diffLines(a: readonly string[], b: readonly string[], firstLine: number) {
  const rows = pairDifferences(
    alignSequences(
      a.map((line) => [line]),
      b.map((line) => [line]),
    ),
  );
  const isShown = findShown(rows.map(({ isSame }) => isSame));
  const shown: DiffRow[] = [];
  let [room, nLeftOut] = [MAX_BYTES, 0];
  let nFolded = 0;
  for (const [at, row] of rows.entries()) {
    if (isShown[at] !== true) {
      nFolded++;
      continue;
    }
    if (shown.length >= MAX_ROWS || room < 0) {
      nLeftOut += row.isSame ? 0 : 1;
      continue;
    }
    if (nFolded > 0) shown.push({ kind: "fold", count: nFolded });
    nFolded = 0;
    const drawn = drawRow(row, a, b, firstLine);
    room -= [drawn.a, drawn.b].reduce(
      (sum, line) => sum + (line === null ? 0 : countLineBytes(line.text)),
      0,
    );
    shown.push(drawn);
  }
  if (nFolded > 0 && nLeftOut === 0) shown.push({ kind: "fold", count: nFolded });
  const differing = rows.filter(({ isSame }) => !isSame);
  return {
    rows: shown,
    nDiffering: {
      a: differing.filter((row) => row.a !== null).length,
      b: differing.filter((row) => row.b !== null).length,
    },
    nLeftOut,
  };
}

interface PairedRow {
  readonly a: number | null;
  readonly b: number | null;
  readonly isSame: boolean;
}

function pairDifferences(rows: ReturnType<typeof alignSequences>): readonly PairedRow[] {
  const paired: PairedRow[] = [];
  let onlyA: number[] = [];
  let onlyB: number[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(onlyA.length, onlyB.length); at++)
      paired.push({ a: onlyA[at] ?? null, b: onlyB[at] ?? null, isSame: false });
    onlyA = [];
    onlyB = [];
  };
  for (const { a, b } of rows) {
    if (a !== null && b !== null) {
      flush();
      paired.push({ a, b, isSame: true });
    } else if (a !== null) onlyA.push(a);
    else if (b !== null) onlyB.push(b);
  }
  flush();
  return paired;
}

function findShown(isSame: readonly boolean[]): readonly boolean[] {
  const shown = isSame.map((same) => !same);
  for (const [at, same] of isSame.entries()) {
    if (same) continue;
    for (let close = at - CONTEXT; close <= at + CONTEXT; close++) if (close in shown) shown[close] = true;
  }
  return shown.map((one, at) => one || (shown[at - 1] !== false && shown[at + 1] !== false));
}

function drawRow(
  { a, b, isSame }: PairedRow,
  linesA: readonly string[],
  linesB: readonly string[],
  firstLine: number,
): Extract<DiffRow, { readonly kind: "same" | "differs" }> {
  const read = (lines: readonly string[], at: number | null) =>
    readLine(lines, at, isSame ? "" : " (no line end)");
  const [textA, textB] = [read(linesA, a), read(linesB, b)];
  const common = isSame || textA === null || textB === null ? null : measureCommon(textA, textB);
  const draw = (text: string | null, at: number | null): DiffLine | null =>
    text === null || at === null ? null : drawLine(text, firstLine + at, common);
  return { kind: isSame ? "same" : "differs", a: draw(textA, a), b: draw(textB, b) };
}

/** Shows control characters that a terminal would apply, since they may be the only difference. */
function readLine(lines: readonly string[], at: number | null, endless: string): string | null {
  const bytes = at === null ? undefined : lines[at];
  if (bytes === undefined) return null;
  const line = Buffer.from(bytes, "latin1").toString("utf8");
  const text = line.endsWith("\n") ? line.slice(0, -1) : line + endless;
  return text.replaceAll("\r", "\\r").replaceAll("\u001B", "\\x1B").replaceAll("\u009B", "\\x9B");
}

interface Common {
  readonly head: number;
  readonly tail: number;
}

function measureCommon(a: string, b: string): Common {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return { head, tail };
}

function drawLine(text: string, number: number, common: Common | null): DiffLine {
  const skipped = common !== null && common.head > MAX_LINE_CHARS / 2 ? common.head - LEAD_CHARS : 0;
  const lead = skipped === 0 ? "" : "… ";
  const cut = lead + (skipped === 0 ? text : text.slice(skipped).toWellFormed());
  const limits = { maxLines: 1, maxLineChars: MAX_LINE_CHARS, maxBytes: Infinity };
  const line = prepareTextBlock(cutText(cut, MAX_LINE_CHARS * 4), limits).lines[0] ?? "";
  // Escapes shift the positions of everything after them.
  if (common === null || typeof line !== "string" || !line.startsWith(cut.slice(0, MAX_LINE_CHARS)))
    return { number, text: line, mark: null };
  const from = common.head - skipped + lead.length;
  const to = Math.min(text.length - common.tail - skipped + lead.length, line.length);
  const isPart = common.head + common.tail > 0 && from < to;
  return { number, text: line, mark: isPart ? { from, to } : null };
}
