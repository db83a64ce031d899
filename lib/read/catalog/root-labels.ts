import { realpathSync } from "node:fs";
import { resolve } from "node:path";

import { type LoadRoot, noteOpenedFolders } from "@/lib/read/loader";

/**
 * Returns the distinct real paths, labelled by the shortest end that is unique. Registers them, so that links between them are
 * refused. A missing folder keeps its given path, so that the load report names it.
 */
export function prepareRoots(folders: readonly string[]): LoadRoot[] {
  const paths = [...new Set(folders.map(resolveRoot))];
  noteOpenedFolders(paths);
  return paths.map((path, index) => ({ index, path, label: computeLabel(path, paths) }));
}

function resolveRoot(folder: string): string {
  const path = resolve(folder);
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return path;
    throw error;
  }
}

function computeLabel(path: string, all: readonly string[]): string {
  const parts = path.split("/").filter((part) => part !== "");
  for (let length = 1; length <= parts.length; length++) {
    const label = parts.slice(-length).join("/");
    const isShared = all.some(
      (other) => other !== path && (other === `/${label}` || other.endsWith(`/${label}`)),
    );
    if (!isShared) return label;
  }
  return path;
}
