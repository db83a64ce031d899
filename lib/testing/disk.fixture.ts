import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

/** A small disk of its own, gone after the test; null where the user may not mount one. @param options - such as `size=1m` */
export function mountDisk(options: string): string | null {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "assay-disk-")));
  onTestFinished(() => {
    try {
      execFileSync("umount", ["-l", folder], { stdio: "ignore" });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "assay", folder], { stdio: "ignore" });
    return folder;
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Changes a disk that was mounted here, such as to `ro` or another size. */
export function remount(disk: string, options: string): void {
  execFileSync("mount", ["-o", `remount,${options}`, disk]);
}
