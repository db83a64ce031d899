import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The version in Assay's own package.json, found upwards from here: this module runs from lib/ and from dist/. */
export function readVersion(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const version =
    typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : null;
  return typeof version === "string" ? version : "unknown";
}
