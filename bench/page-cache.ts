import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

/** Forgets every file the machine keeps in memory; false where only root may. */
export function dropPageCache(): boolean {
  // What is not written yet cannot be dropped.
  spawnSync("sync");
  try {
    writeFileSync("/proc/sys/vm/drop_caches", "3");
    return true;
  } catch {
    return false;
  }
}
