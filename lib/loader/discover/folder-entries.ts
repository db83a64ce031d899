import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync } from "node:fs";

/** Something in a folder that a path can lead to. */
export type FolderEntry = Pick<Dirent, "name" | "isDirectory" | "isSymbolicLink">;

/** Something whose name is no text: no path leads to it, and one that seems to may lead to its neighbour. */
export interface GarbledEntry {
  /** The name for people, each byte that is no text as `\xNN`. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** Everything in a folder, in the order of the disk. */
export interface FolderEntries {
  readonly entries: readonly FolderEntry[];
  readonly garbled: readonly GarbledEntry[];
}

/** What to say of a name that is no text. */
export const GARBLED_NAME = "Its name is not UTF-8 text, so it cannot be opened. Rename it.";

/** Node reads every byte that is no text as this character, which a name may hold in earnest too. */
const REPLACEMENT = "\ufffd";

/** Returns everything in a folder, with what no path can lead to apart. @throws the system's error when it cannot be listed */
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

/** The bytes of the character that begins there; null when none does. */
function readCharacter(bytes: Buffer, at: number): Buffer | null {
  for (let length = 1; length <= LONGEST_CHARACTER; length++) {
    const part = bytes.subarray(at, at + length);
    if (part.length === length && isUtf8(part)) return part;
  }
  return null;
}
