import { randomUUID } from "node:crypto";

import { ValidationError } from "@/lib/core/domain/app-error";

import { IMPORT_LIMITS, type ImportFile } from "./gather";

/** Names an upload. Others' uploads are answered like unknown ones. */
export interface StagedKey {
  readonly id: string;
  readonly owner: string | null;
}

interface StagedImport {
  readonly owner: string | null;
  readonly files: { readonly name: string; readonly bytes: Uint8Array[] }[];
  nBytes: number;
  touchedMs: number;
}

const HELD_MS = 15 * 60 * 1000;
const MOST_IMPORTS = 2;
const MOST_FILES = 1_000;

declare global {
  /** One per process, because actions may be bundled separately. */
  var assayStagedImports: Map<string, StagedImport> | undefined;
}

function getStaged(nowMs: number): Map<string, StagedImport> {
  const staged = (globalThis.assayStagedImports ??= new Map<string, StagedImport>());
  for (const [id, { touchedMs }] of staged) if (nowMs - touchedMs > HELD_MS) staged.delete(id);
  return staged;
}

export function beginImport(owner: string | null, nowMs = Date.now()): string {
  const staged = getStaged(nowMs);
  while (staged.size >= MOST_IMPORTS) {
    const [oldest] = [...staged].toSorted(([, a], [, b]) => a.touchedMs - b.touchedMs);
    if (oldest !== undefined) staged.delete(oldest[0]);
  }
  const id = randomUUID();
  staged.set(id, { owner, files: [], nBytes: 0, touchedMs: nowMs });
  return id;
}

/** @param part.base64 - raw bytes, so that invalid UTF-8 is detected */
export function addImportPart(
  key: StagedKey,
  part: { readonly file: number; readonly name: string; readonly base64: string },
  nowMs = Date.now(),
): void {
  const one = requireImport(key, nowMs);
  const bytes = Buffer.from(part.base64, "base64");
  one.nBytes += bytes.length;
  one.touchedMs = nowMs;
  if (one.nBytes > IMPORT_LIMITS.bytes || part.file >= MOST_FILES) {
    getStaged(nowMs).delete(key.id);
    throw new ValidationError(
      `An import takes at most ${IMPORT_LIMITS.bytes.toLocaleString("en-US")} bytes and ${MOST_FILES.toLocaleString("en-US")} files at once. Import the files one by one, or use "assay annotations import".`,
      {},
    );
  }
  for (let file = one.files.length; file <= part.file; file++) one.files.push({ name: part.name, bytes: [] });
  one.files[part.file]?.bytes.push(bytes);
}

export function readStagedImport(key: StagedKey, nowMs = Date.now()): readonly ImportFile[] {
  const one = requireImport(key, nowMs);
  one.touchedMs = nowMs;
  return one.files;
}

export function endImport(id: string): void {
  getStaged(Date.now()).delete(id);
}

function requireImport({ id, owner }: StagedKey, nowMs: number): StagedImport {
  const one = getStaged(nowMs).get(id);
  if (one?.owner === owner) return one;
  throw new ValidationError("These files are no longer available. Choose them again.", {});
}
