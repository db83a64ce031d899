import { realpathSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

import { findJobFolder } from "@/lib/store/database";

import { UsageError } from "./command";

/** Refuses a file in or below `folder`, which is read-only input. @throws UsageError also when the file's folder is missing */
export function checkOutput(file: string, folder: string): void {
  const below = relative(findFolder(folder), join(findFolder(dirname(resolve(file))), basename(file)));
  const isOutside = below.startsWith("..") || isAbsolute(below);
  if (!isOutside) throw new UsageError(`Job folders are read-only. Choose a file outside ${folder}.`);
}

function findFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UsageError(`Folder ${path} does not exist.`, { cause: error });
  }
}

export function checkOutsideJobs(place: string): void {
  const folder = findJobFolder(resolve(place));
  if (folder !== null)
    throw new UsageError(
      `${place} is inside the job folder ${folder}, which is read-only. Choose another place.`,
    );
}

/**
 * Writes a file completely or not at all. Data goes to a temporary file next to it, which is renamed after all parts are written
 * and `check`, called with its name, passes.
 *
 * @param mode - permissions, reduced by the system's umask
 */
export async function writeFileAtOnce(
  file: string,
  pieces: Iterable<string> | AsyncIterable<string | Uint8Array>,
  { mode = 0o666, check }: { mode?: number; check?: (written: string) => Promise<void> } = {},
): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  const handle = await open(partial, "wx", mode);
  try {
    for await (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
    await handle.close();
    await check?.(partial);
    await rename(partial, file);
  } catch (error) {
    await handle.close();
    await rm(partial, { force: true });
    throw error;
  }
}
