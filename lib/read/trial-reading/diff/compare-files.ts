import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { TrialFileEntry, TrialFileList } from "@/lib/core/domain/trial-file";
import {
  type BytesComparison,
  compareBytes,
  isBinary,
  listTrialFiles,
  readWindow,
} from "@/lib/read/loader/detail";

import { takeFileRows, type TrialPlace } from "../place";
import { diffLines, type LineDiff } from "./diff-lines";

const RELATIONS = ["differs", "only-a", "only-b", "unknown", "same"] as const;
/** `same` means that all bytes were compared and are equal; `unknown` was not compared. */
export type FileRelation = (typeof RELATIONS)[number];

export interface ComparedFile {
  readonly path: string;
  readonly relation: FileRelation;
  readonly sizes: { readonly a: number | null; readonly b: number | null };
  readonly reason: string | null;
}

export interface DiffFiles {
  readonly rows: readonly ComparedFile[];
  readonly counts: Readonly<Record<FileRelation, number>>;
  readonly cutNotes: readonly string[];
  readonly view: { readonly path: string; readonly comparison: FileComparison } | null;
}

/** Bytes per folder compared for the list. The open file is compared separately. */
const MAX_LIST_COMPARED = 256 << 20;

/**
 * Compares by size, then byte by byte up to 256 MiB. @param asked - null opens a differing artifact, verifier file, or other file
 */
export async function compareFolders(a: TrialPlace, b: TrialPlace, asked: string | null): Promise<DiffFiles> {
  const [pathA, pathB] = [findFolder(a), findFolder(b)];
  if (pathA === null || pathB === null) {
    const missing = pathA !== null ? "B has" : pathB !== null ? "A has" : "A and B have";
    const note = `The files are not compared: ${missing} no trial folder.`;
    return { rows: [], counts: countRelations([]), cutNotes: [note], view: null };
  }
  const [listA, listB] = [await listTrialFiles(pathA), await listTrialFiles(pathB)];
  const all = await compareLists(pathA, pathB, listA, listB);
  const sorted = all.toSorted((one, other) => rank(one) - rank(other));
  const rows = takeFileRows(sorted, [pathA, pathB]);
  const opened = asked ?? findFirst(sorted);
  const cut = `Only the first ${rows.length.toLocaleString("en")} of ${all.length.toLocaleString("en")} files are listed.`;
  return {
    rows,
    counts: countRelations(all),
    cutNotes: [
      ...[listA, listB].flatMap(({ cutNote, issues }, at) => describeList("AB".charAt(at), cutNote, issues)),
      ...(rows.length < all.length ? [cut] : []),
    ],
    view: opened === null ? null : { path: opened, comparison: await compareFile(pathA, pathB, opened) },
  };
}

const FIRST = [/^artifacts\/(?!manifest\.json$)/u, /(?:^|\/)verifier\//u, /^/u];

function findFirst(rows: readonly ComparedFile[]): string | null {
  const differing = rows.filter(({ relation }) => relation === "differs");
  return FIRST.flatMap((pattern) => differing.find(({ path }) => pattern.test(path)) ?? [])[0]?.path ?? null;
}

function findFolder({ path, ledger }: TrialPlace): string | null {
  return ledger === null ? path : null;
}

function describeList(
  letter: string,
  cutNote: string | null,
  issues: readonly LoadIssue[],
): readonly string[] {
  const [issue] = issues;
  const failed =
    issue === undefined ? [] : [`${letter}: ${issue.path === "" ? "" : `${issue.path}: `}${issue.detail}`];
  return [...(cutNote === null ? [] : [`${letter}: ${cutNote}`]), ...failed];
}

function rank({ relation }: ComparedFile): number {
  return RELATIONS.indexOf(relation);
}

function countRelations(rows: readonly ComparedFile[]): Record<FileRelation, number> {
  const counts = { differs: 0, "only-a": 0, "only-b": 0, unknown: 0, same: 0 };
  for (const { relation } of rows) counts[relation]++;
  return counts;
}

async function compareLists(
  pathA: string,
  pathB: string,
  listA: TrialFileList,
  listB: TrialFileList,
): Promise<readonly ComparedFile[]> {
  const [filesA, filesB] = [indexFiles(listA), indexFiles(listB)];
  const paths = [...new Set([...filesA.keys(), ...filesB.keys()])].sort();
  // An unlisted file may still exist.
  const isWhole = { a: isListWhole(listA), b: isListWhole(listB) };
  let left = MAX_LIST_COMPARED;
  const rows: ComparedFile[] = [];
  for (const path of paths) {
    const [a, b] = [filesA.get(path), filesB.get(path)];
    const sizes = { a: a?.sizeBytes ?? null, b: b?.sizeBytes ?? null };
    const early = relateEntries(a, b, isWhole);
    if (early !== null) {
      rows.push({ path, sizes, ...early });
      continue;
    }
    const size = sizes.a ?? 0;
    if (size > left) {
      rows.push({ path, sizes, relation: "unknown", reason: "Same size; open it to compare its bytes." });
      continue;
    }
    left -= size;
    const compared = await compareBytes(pathA, pathB, path, Infinity);
    if (!compared.ok) rows.push({ path, sizes, relation: "unknown", reason: compared.issue.detail });
    else
      rows.push({
        path,
        sizes: compared.value.sizes,
        relation: compared.value.firstDifference === null ? "same" : "differs",
        reason: null,
      });
  }
  return rows;
}

function indexFiles({ entries }: TrialFileList): ReadonlyMap<string, TrialFileEntry> {
  return new Map(entries.filter(({ kind }) => kind !== "folder").map((entry) => [entry.path, entry]));
}

function isListWhole({ cutNote, issues }: TrialFileList): boolean {
  return cutNote === null && issues.length === 0;
}

function relateEntries(
  a: TrialFileEntry | undefined,
  b: TrialFileEntry | undefined,
  isWhole: { readonly a: boolean; readonly b: boolean },
): Pick<ComparedFile, "relation" | "reason"> | null {
  if (a === undefined || b === undefined) {
    const isKnown = b === undefined ? isWhole.b : isWhole.a;
    if (isKnown) return { relation: b === undefined ? "only-a" : "only-b", reason: null };
    return { relation: "unknown", reason: "The other folder is not listed completely." };
  }
  if (a.kind !== "file" || b.kind !== "file")
    return { relation: "unknown", reason: "Links and special files are not followed." };
  return a.sizeBytes === b.sizeBytes || a.sizeBytes === null || b.sizeBytes === null
    ? null
    : { relation: "differs", reason: null };
}

export type FileComparison =
  | { readonly kind: "same"; readonly sizeBytes: number }
  | { readonly kind: "binary"; readonly firstDifference: number; readonly sizes: Sizes }
  | {
      readonly kind: "text";
      readonly diff: LineDiff;
      readonly notes: readonly string[];
      readonly sizes: Sizes;
    }
  | { readonly kind: "only"; readonly letter: "A" | "B" }
  | { readonly kind: "problem"; readonly letters: readonly ("A" | "B")[]; readonly issue: LoadIssue }
  | { readonly kind: "unknown"; readonly comparedBytes: number; readonly sizes: Sizes };

type Sizes = BytesComparison["sizes"];

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
  const equal = a.toString("latin1", skipped, (firstDifference ?? 0) - from);
  const firstLine = linesBefore - equal.split("\n").length + 2;
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
