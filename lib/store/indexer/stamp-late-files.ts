import type { Trial } from "@/lib/core/domain/trial";
import { type LoadRoot, stampTrial } from "@/lib/read/loader";

/** Files that change when a trial continues or is judged again. */
const PROBES = [
  "result.json",
  "agent",
  "agent/trajectory.json",
  "artifacts/trajectory.json",
  "verifier",
  "verifier/ctrf.json",
];
/** Limit of stamped trajectory files, since some formats have a file per turn. */
const MAX_STAMPED = 20;

/** Stamps a finished trial's files, including those of its trajectory; empty for any other trial. */
export function stampLateFiles(
  root: LoadRoot,
  trial: Pick<Trial, "state" | "folder">,
  files: readonly string[],
): string {
  return trial.state === "finished" ? stampTrial(root, trial.folder, [...PROBES, ...files]) : "";
}

export function chooseStamped(files: readonly string[]): readonly string[] {
  return files.filter((file) => !PROBES.includes(file)).slice(0, MAX_STAMPED);
}

/** Adds files to a stamp that {@link stampLateFiles} made before reading; keeps an empty one. */
export function extendStamp(stamp: string, root: LoadRoot, folder: string, files: readonly string[]): string {
  return stamp === "" || files.length === 0 ? stamp : `${stamp}|${stampTrial(root, folder, files)}`;
}
