import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { LaunchError } from "../lib/core/domain/launch-error.ts";
import { runCommand } from "../lib/server/run-command.ts";

interface Bom {
  readonly metadata: { readonly component: object };
  readonly components: readonly object[];
  readonly dependencies: readonly object[];
}

/** Returns a CycloneDX list. The same lock gives the same bytes. @throws LaunchError `step-failed` with npm's output */
export async function writeSbom(root: string): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), "assay-sbom-"));
  const folder = join(scratch, "assay");
  try {
    mkdirSync(folder);
    copyFileSync(join(root, "package-lock.json"), join(folder, "package-lock.json"));
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object; // Our own.
    const published = { ...manifest, devDependencies: {}, optionalDependencies: {} };
    writeFileSync(join(folder, "package.json"), JSON.stringify(published));
    // Not `npm sbom --omit=dev`: npm 11 then leaves out packages that development needs too, such as zod.
    await runNpm(folder, ["install", "--offline", "--ignore-scripts"]);
    const { metadata, components, dependencies } = JSON.parse(
      await runNpm(folder, ["sbom", "--sbom-format=cyclonedx"]),
    ) as Bom;
    const bom = {
      ...{ bomFormat: "CycloneDX", specVersion: "1.5", version: 1 },
      // Leaves out the time, npm's version, and references, which name the registry.
      metadata: { component: metadata.component },
      components: components.map((one) => ({ ...one, externalReferences: [] })),
      dependencies,
    };
    return `${JSON.stringify(bom, null, 1)}\n`;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function runNpm(folder: string, args: readonly string[]): Promise<string> {
  const options = [`--prefix=${folder}`, "--package-lock-only", "--loglevel=error"];
  const { code, output } = await runCommand("npm", [...args, ...options], { title: "Listing the packages" });
  if (code !== 0) throw new LaunchError("step-failed", output);
  return output;
}
