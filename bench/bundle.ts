import { rmSync } from "node:fs";
import { join } from "node:path";

import { build } from "tsdown";

import { findProjectRoot } from "../lib/read/processes/project-root.ts";
import { BENCH_FOLDER } from "./data-set.ts";

/** Bundles a script of this folder, which uses the project's code, for a process of its own. @returns its path */
export async function bundleScript(name: string): Promise<string> {
  const outDir = join(BENCH_FOLDER, name);
  rmSync(outDir, { recursive: true, force: true });
  await build({
    config: false,
    cwd: findProjectRoot(),
    entry: { [name]: `bench/${name}.ts` },
    outDir,
    format: "esm",
    platform: "node",
    target: "node24",
    fixedExtension: true,
    dts: false,
    logLevel: "silent",
  });
  return join(outDir, `${name}.mjs`);
}
