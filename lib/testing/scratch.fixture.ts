import { chmodSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** Gives a run of the tests a folder for temporary files, gone when it ends, in which programs find the project's packages. */
export default function makeScratch(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "assay-run-"));
  // PostgreSQL runs as a user of its own where the tests run as root.
  chmodSync(folder, 0o755);
  symlinkSync(PACKAGES, join(folder, "node_modules"));
  process.env["TMPDIR"] = folder;
  // What test files of their own process and the programs that tests start load is compiled once.
  process.env["NODE_COMPILE_CACHE"] = join(folder, "compile-cache");
  return () => rmSync(folder, { recursive: true, force: true });
}
