import type { Trial } from "@/lib/core/domain/trial";

import { type LoadRoot, resolveFolder } from "../discover/load-root";
import { findLock } from "../file-stamp";
import { enterTrial } from "../large-files";

/**
 * Returns the folder of a trial for a reading after the results. Null if its files cannot be read, for a trial known only from the
 * job's plan or statistics, and for a ledger's trial, which has no steps.
 */
export function openTrial(
  root: LoadRoot,
  { folder, ledger }: Pick<Trial, "folder" | "ledger">,
  reading: "failures" | "scans" | "texts",
): string | null {
  const isOpen = folder !== "" && ledger === null && findLock(root, folder) === null;
  const path = isOpen ? resolveFolder(root.path, folder) : null;
  return path === null || enterTrial(path, reading) !== null ? null : path;
}
