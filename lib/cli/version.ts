import { readFileSync } from "node:fs";
import { join } from "node:path";

import { findProjectRoot } from "@/lib/read/processes/project-root";

export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(join(findProjectRoot(), "package.json"), "utf8")) as {
    version?: unknown;
  };
  return typeof manifest.version === "string" ? manifest.version : "unknown";
}
