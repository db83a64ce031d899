import { realpathSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

import { findJobFolder } from "@/lib/database";

import { UsageError } from "./command-line";

/** Refuses a file in or below `folder`, which is only ever read. @throws UsageError also when there is nowhere to write it */
export function checkOutput(file: string, folder: string): void {
  const below = relative(findFolder(folder), join(findFolder(dirname(resolve(file))), basename(file)));
  const isOutside = below.startsWith("..") || isAbsolute(below);
  if (!isOutside) throw new UsageError(`Job folders are only read. Name a file outside ${folder}.`);
}

function findFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UsageError(`There is no folder ${path}.`, { cause: error });
  }
}

/** @throws UsageError for a place in a job folder, whose files would travel with the job */
export function checkOutsideJobs(place: string): void {
  const folder = findJobFolder(resolve(place));
  if (folder !== null)
    throw new UsageError(
      `${place} lies inside the job folder ${folder}, which is only read. Name another place.`,
    );
}

/**
 * Writes a file that is there whole or not at all: pieces go beside it, and it takes its name when they are all written and
 * `check`, which is given that other name, has nothing against it.
 *
 * @param mode - who may read it, less what the system's mask takes away
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
