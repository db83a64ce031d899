import type { TrialRecord } from "@/lib/domain/trial";
import { type LoadRoot, stampTrial } from "@/lib/loader";

/** Files that change when a trial goes on or is judged again. */
const PROBES = ["result.json", "agent", "agent/trajectory.json", "verifier", "verifier/ctrf.json"];
/** Of a trajectory in other files so many are stamped too; some formats have a file a turn. */
const MAX_STAMPED = 20;

/** The stamp of a finished trial's files, those that its trajectory was read from among them; empty for any other trial. */
export function stampLateFiles(
  root: LoadRoot,
  trial: Pick<TrialRecord, "state" | "folder">,
  files: readonly string[],
): string {
  return trial.state === "finished" ? stampTrial(root, trial.folder, [...PROBES, ...files]) : "";
}

/** Those of a trajectory's files that are to be stamped beside the usual ones. */
export function chooseStamped(files: readonly string[]): readonly string[] {
  return files.filter((file) => !PROBES.includes(file)).slice(0, MAX_STAMPED);
}

/** A stamp that {@link stampLateFiles} made before anything was read, with more files; empty when it is. */
export function extendStamp(stamp: string, root: LoadRoot, folder: string, files: readonly string[]): string {
  return stamp === "" || files.length === 0 ? stamp : `${stamp}|${stampTrial(root, folder, files)}`;
}
