import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Searches upwards, because this module runs from lib/ and from dist/. */
export function findProjectRoot(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) throw new Error(`no package.json above ${from}`);
  }
}
