import { countLineFeeds, type FileBytes, readBytes } from "./files/file-bytes";
import { type FoundInside, useFileInside } from "./open-inside";

export interface BytesComparison {
  readonly sizes: { readonly a: number; readonly b: number };
  /** Byte offset; the shorter length if one file is a prefix of the other; null if equal. */
  readonly firstDifference: number | null;
  readonly linesBefore: number;
  readonly isWhole: boolean;
}

const CHUNK_BYTES = 256 * 1024;

/** Compares in chunks, so that files may have any size. Issue paths omit the folder. @param maxBytes - limit per file */
export async function compareBytes(
  folderA: string,
  folderB: string,
  path: string,
  maxBytes: number,
): Promise<FoundInside<BytesComparison>> {
  const compared = await useFileInside(folderA, path, (a) =>
    useFileInside(folderB, path, (b) => compareOpened(a, b, maxBytes)),
  );
  return compared.ok ? compared.value : compared;
}

async function compareOpened(a: FileBytes, b: FileBytes, maxBytes: number): Promise<BytesComparison> {
  const sizes = { a: a.sizeBytes, b: b.sizeBytes };
  const end = Math.min(sizes.a, sizes.b, maxBytes);
  let linesBefore = 0;
  let at = 0;
  while (at < end) {
    const to = Math.min(at + CHUNK_BYTES, end);
    const [partA, partB] = [await readBytes(a, at, to), await readBytes(b, at, to)];
    const equal = countEqualBytes(partA, partB);
    linesBefore += countLineFeeds(partA.subarray(0, equal));
    at += equal;
    if (at < to) return { sizes, firstDifference: at, linesBefore, isWhole: true };
  }
  const isWhole = at === Math.min(sizes.a, sizes.b);
  return { sizes, firstDifference: isWhole && sizes.a !== sizes.b ? at : null, linesBefore, isWhole };
}

function countEqualBytes(a: Buffer, b: Buffer): number {
  if (a.equals(b)) return a.length;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at++;
  return at;
}

export async function readWindow(
  folder: string,
  path: string,
  from: number,
  length: number,
): Promise<FoundInside<Buffer>> {
  return await useFileInside(folder, path, (file) => readBytes(file, from, from + length));
}
