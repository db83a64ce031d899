import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import type { TrialFileEntry, TrialFileList } from "@/lib/core/domain/trial-file";
import { compareBytes, listTrialFiles } from "@/lib/read/loader/detail";

import { countPlaceBytes, type TrialPlace } from "../place";
import { compareFile, type FileComparison } from "./compare-file";

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

const MAX_LIST_BYTES = 500_000;
const ROW_BYTES = 800;
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
  const placeBytes = countPlaceBytes(pathA) + countPlaceBytes(pathB);
  const rows = takeFitting(
    sorted,
    MAX_LIST_BYTES,
    ({ path }) => ROW_BYTES + placeBytes + countAddressBytes(path) + countPageBytes(path),
  );
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
  for (const pattern of FIRST) {
    const found = differing.find(({ path }) => pattern.test(path));
    if (found !== undefined) return found.path;
  }
  return null;
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
