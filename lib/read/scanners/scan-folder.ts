import type { ScanResult } from "@/lib/core/domain/scanner";
import type { Trajectory } from "@/lib/core/domain/trajectory";
import { listTrialFiles, readTrajectory, useTextInside } from "@/lib/read/loader/detail";

import { listEvents } from "./list-events";
import { scanTrial } from "./scan-trial";
import type { Scanner } from "./scanner";

export interface FolderScan {
  readonly results: readonly ScanResult[];
  readonly traceFiles: readonly string[];
}

/** @param path - absolute @param stepNames - in run order; null for single-step trials */
export async function scanTrialFolder(
  path: string,
  stepNames: readonly string[] | null,
  scanners: readonly Scanner[],
): Promise<FolderScan> {
  const trajectory: Pick<Trajectory, "steps" | "files"> = scanners.some(({ scope }) => scope === "steps")
    ? await readTrajectory(path, stepNames)
    : { steps: [], files: [] };
  const paths = scanners.some(({ scope }) => scope === "files") ? await listPaths(path) : [];
  const results = await scanTrial(scanners, {
    events: listEvents(trajectory),
    paths,
    readText: (file, use) => useTextInside(path, file, ({ text }) => use(text)),
  });
  return { results, traceFiles: trajectory.steps.length > 0 ? trajectory.files : [] };
}

async function listPaths(path: string): Promise<readonly string[]> {
  const { entries } = await listTrialFiles(path, "", "searched");
  return entries.filter(({ kind }) => kind === "file").map((entry) => entry.path);
}
