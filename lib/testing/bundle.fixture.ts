import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "tsdown";
import { afterAll } from "vitest";

const project = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Bundles programs from the sources as they are, each into one file of its name; gone after the test file's last test.
 *
 * @param programs - paths of their sources from the project's folder, by name
 * @returns the folder they are in
 */
export async function bundlePrograms(programs: Readonly<Record<string, string>>): Promise<string> {
  // In the project, from where packages are found.
  const folder = mkdtempSync(join(project, "node_modules", ".assay-test-"));
  folders.push(folder);
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
      outputOptions: { codeSplitting: false },
    });
  }
  return folder;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
