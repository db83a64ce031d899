import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "tsdown";

const project = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Bundles programs from the sources as they are, each into one file of its name; in the run's folder for temporary files.
 *
 * @param programs - paths of their sources from the project's folder, by name
 * @returns the folder they are in
 */
export async function bundlePrograms(programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "assay-programs-"));
  for (const [name, source] of Object.entries(programs)) {
    await build({
      config: false,
      cwd: project,
      entry: { [name]: join(project, source) },
      outDir: folder,
      format: "esm",
      platform: "node",
      target: "node24",
      fixedExtension: false,
      clean: false,
      hash: false,
      dts: false,
      logLevel: "error",
      report: false,
      // As in tsdown.config.ts: their many files take a process longer to load than its own.
      deps: { alwaysBundle: ["kysely", /^kysely\//, "zod"] },
      // A TOML file is its text, there too.
      inputOptions: { moduleTypes: { ".toml": "text" } },
      outputOptions: { codeSplitting: false },
    });
  }
  return folder;
}

let annotations: Promise<string> | null = null;

/**
 * Bundles what keeps judgments, as it is, for programs of tests that import it in processes of their own. Built once.
 *
 * @returns its address
 */
export function bundleAnnotations(): Promise<string> {
  annotations ??= bundlePrograms({ annotations: "lib/people/annotations/index.ts" }).then(
    (folder) => pathToFileURL(join(folder, "annotations.js")).href,
  );
  return annotations;
}
