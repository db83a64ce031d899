import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync } from "node:fs";

export type FolderEntry = Pick<Dirent, "name" | "isDirectory" | "isSymbolicLink">;

/** An entry whose name is not UTF-8. No path opens it, and a similar path may open its neighbour. */
export interface GarbledEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface FolderEntries {
  readonly entries: readonly FolderEntry[];
  readonly garbled: readonly GarbledEntry[];
}

export const GARBLED_NAME = "Its name is not UTF-8 text, so it cannot be opened. Rename it.";

/** Node replaces invalid bytes with this character, which a valid name may also contain. */
const REPLACEMENT = "\ufffd";

/** Lists a folder, with unreachable entries apart. @throws the system's error */
export function readEntries(place: string): FolderEntries {
  const entries = readdirSync(place, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes(REPLACEMENT))) return { entries, garbled: [] };
  const all = readdirSync(place, { withFileTypes: true, encoding: "buffer" });
  const isText = ({ name }: (typeof all)[number]): boolean => isUtf8(name);
  return {
    entries: all.filter(isText).map((entry) => ({
      name: entry.name.toString("utf8"),
      isDirectory: () => entry.isDirectory(),
      isSymbolicLink: () => entry.isSymbolicLink(),
    })),
    garbled: all
      .filter((entry) => !isText(entry))
      .map((entry) => ({ name: escapeBytes(entry.name), isFolder: entry.isDirectory() })),
  };
}

const LONGEST_CHARACTER = 4;

function escapeBytes(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const character = readCharacter(bytes, at);
    text += character?.toString("utf8") ?? `\\x${bytes.toString("hex", at, at + 1)}`;
    at += character?.length ?? 1;
  }
  return text;
}

function readCharacter(bytes: Buffer, at: number): Buffer | null {
  for (let length = 1; length <= LONGEST_CHARACTER; length++) {
    const part = bytes.subarray(at, at + length);
    if (part.length === length && isUtf8(part)) return part;
  }
  return null;
}
