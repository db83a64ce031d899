import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { type BytesComparison, compareBytes, isBinary, readWindow } from "@/lib/read/loader/detail";

import { diffLines, type LineDiff } from "./diff-lines";

export type FileComparison =
  | { readonly kind: "same"; readonly sizeBytes: number }
  | ({ readonly kind: "binary"; readonly firstDifference: number } & Pick<BytesComparison, "sizes">)
  | ({ readonly kind: "text"; readonly diff: LineDiff; readonly notes: readonly string[] } & Pick<
      BytesComparison,
      "sizes"
    >)
  | { readonly kind: "only"; readonly letter: "A" | "B" }
  | { readonly kind: "problem"; readonly letters: readonly ("A" | "B")[]; readonly issue: LoadIssue }
  | ({ readonly kind: "unknown"; readonly comparedBytes: number } & Pick<BytesComparison, "sizes">);

/** Bytes per file up to the first difference: takes some seconds. */
const MAX_COMPARED = 2 ** 31;
const WINDOW_BYTES = 1 << 20;
const LEAD_BYTES = 4 << 10;
/** Lines per file; a window of short lines has hundreds of thousands. */
const MAX_LINES = 20_000;

export async function compareFile(folderA: string, folderB: string, path: string): Promise<FileComparison> {
  const compared = await compareBytes(folderA, folderB, path, MAX_COMPARED);
  if (!compared.ok) return findProblem(folderA, folderB, path, compared.issue);
  const { sizes, firstDifference, isWhole } = compared.value;
  if (firstDifference === null)
    return isWhole
      ? { kind: "same", sizeBytes: sizes.a }
      : { kind: "unknown", comparedBytes: MAX_COMPARED, sizes };
  const from = Math.max(sizes.a, sizes.b) <= WINDOW_BYTES ? 0 : Math.max(0, firstDifference - LEAD_BYTES);
  const a = await readWindow(folderA, path, from, WINDOW_BYTES);
  const b = await readWindow(folderB, path, from, WINDOW_BYTES);
  if (!a.ok) return { kind: "problem", letters: ["A"], issue: a.issue };
  if (!b.ok) return { kind: "problem", letters: ["B"], issue: b.issue };
  if (isBinary(a.value) || isBinary(b.value)) return { kind: "binary", sizes, firstDifference };
  return { kind: "text", sizes, ...diffWindows(a.value, b.value, from, compared.value) };
}

async function findProblem(
  folderA: string,
  folderB: string,
  path: string,
  issue: LoadIssue,
): Promise<FileComparison> {
  const [a, b] = [await readWindow(folderA, path, 0, 0), await readWindow(folderB, path, 0, 0)];
  if (a.ok && !b.ok && b.isAbsent) return { kind: "only", letter: "A" };
  if (b.ok && !a.ok && a.isAbsent) return { kind: "only", letter: "B" };
  const letters = [...(a.ok ? [] : (["A"] as const)), ...(b.ok ? [] : (["B"] as const))];
  return { kind: "problem", letters, issue };
}

function diffWindows(
  a: Buffer,
  b: Buffer,
  from: number,
  { firstDifference, linesBefore, sizes }: BytesComparison,
) {
  // Both windows are equal up to the first difference, so they start within the same line.
  const skipped = from === 0 ? 0 : a.subarray(0, (firstDifference ?? 0) - from).indexOf(0x0a) + 1;
  const [linesA, linesB] = [splitLines(a.subarray(skipped)), splitLines(b.subarray(skipped))];
  const nEqual =
    a
      .subarray(skipped, (firstDifference ?? 0) - from)
      .toString("latin1")
      .split("\n").length - 1;
  const firstLine = linesBefore - nEqual + 1;
  const diff = diffLines(linesA.slice(0, MAX_LINES), linesB.slice(0, MAX_LINES), firstLine);
  const count = (n: number) => n.toLocaleString("en");
  const isCutByLines = Math.max(linesA.length, linesB.length) > MAX_LINES;
  const isCutByBytes = from + WINDOW_BYTES < Math.max(sizes.a, sizes.b);
  const compared = isCutByLines ? `${count(MAX_LINES)} lines` : "1 MiB";
  const notes = [
    firstLine > 1 ? `Lines 1 to ${count(firstLine - 1)} are the same, byte by byte.` : "",
    isCutByLines || isCutByBytes
      ? `${compared} around and behind the first difference are compared line by line; what follows is not.`
      : "",
    diff.nLeftOut > 0 ? `${count(diff.nLeftOut)} more differing lines are not shown.` : "",
  ];
  return { diff, notes: notes.filter((note) => note !== "") };
}

/** Splits into lines with their ends. Uses one character per byte, so that equal lines have equal bytes. */
function splitLines(bytes: Buffer): readonly string[] {
  const lines = bytes.toString("latin1").split("\n");
  const last = lines.pop() ?? "";
  return [...lines.map((line) => `${line}\n`), ...(last === "" ? [] : [last])];
}
