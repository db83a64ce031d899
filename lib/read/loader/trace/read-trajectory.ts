import type { Trajectory, TrajectoryStep } from "@/lib/core/domain/trajectory";

import { listTrialFiles } from "../detail/list-trial-files";
import { combineDigests } from "../hashes";
import { findSources, type FoundSource } from "./find-sources";
import { FlatTrajectory } from "./flatten-trajectory";
import { loadTrajectoryFile, MAX_TRACE_BYTES, MAX_TRACE_VALUES, type TrajectoryFiles } from "./open-log";
import { prepareOutline } from "./outline";
import { isStrongMark } from "./step-marks";

/**
 * Reads a trial's whole trajectory in any format of {@link TRACE_READERS} as flat rows, with continuations, subagents and a
 * simulated user. Never throws for what is on disk; issues have paths relative to the trial folder. A trial without a trajectory
 * has no steps and no issue. The digest covers every byte of all files read, including sources without a step. A file above the
 * limit counts by size and head. The digest is null if a file is unreadable or set aside.
 * @param stepNames - steps in run order; null takes the folders below `steps/` by name
 * @param asked - `path` of the source to read; null reads the richest one with a step
 */
export async function readTrajectory(
  trialPath: string,
  stepNames: readonly string[] | null = null,
  asked: string | null = null,
): Promise<Trajectory> {
  const { entries, cutNote } = await listTrialFiles(trialPath, "", "searched");
  const listed = entries.filter(({ kind }) => kind === "file").map(({ path }) => path);
  const { sources, unknown, nLeftOut } = await findSources(trialPath, listed, stepNames);
  const files: TrajectoryFiles = {
    trialPath,
    listed,
    issues: [],
    files: [],
    digests: new Map(),
    notes: [
      ...(cutNote === null ? [] : [`Not all files of this trial were searched. ${cutNote}`]),
      ...(nLeftOut === 0 ? [] : [`${nLeftOut} more files that may be traces were not read.`]),
    ],
    bytesLeft: MAX_TRACE_BYTES,
    valuesLeft: MAX_TRACE_VALUES,
    seen: new Set(),
  };
  const named = sources.filter(({ path }) => path === asked);
  let flat = new FlatTrajectory(files);
  let shown: FoundSource | null = null;
  for (const source of named.length > 0 ? named : sources) {
    shown ??= source;
    flat = new FlatTrajectory(files);
    files.seen.clear();
    for (const start of source.starts) await flat.add(start, "main");
    if (flat.steps.length === 0) continue;
    shown = source;
    break;
  }
  if (shown === sources[0])
    await flat.add({ file: USER_TRAJECTORY, phase: null, reader: null }, "simulated user");
  await reportUnknown(files, unknown);
  return {
    steps: flat.steps,
    outline: prepareOutline(flat.steps),
    landing: findLanding(flat.steps),
    stop: flat.stop,
    files: files.files,
    digest: combineDigests(files.digests),
    issues: files.issues,
    notes: files.notes,
    sources: sources.map(({ path, file, format, lacks }) => ({ path, file, format, lacks })),
    source: shown?.path ?? null,
    unknown,
  };
}

const USER_TRAJECTORY = "user-agent/trajectory.json";

async function reportUnknown(files: TrajectoryFiles, unknown: Trajectory["unknown"]): Promise<void> {
  for (const { path } of unknown)
    if (/(?:^|\/)trajectory\.jsonl?$/u.test(path)) await loadTrajectoryFile(files, path);
}

/** Finds the first strong mark, else the last failed agent step, else the last agent step. */
function findLanding(steps: readonly TrajectoryStep[]): number | null {
  const own = steps.filter((step) => step.source === "agent" && !step.copied);
  const main = own.filter((step) => step.depth === 0);
  const strong = main.findLast((step) => step.marks.some(isStrongMark));
  const weak = main.findLast((step) => step.marks.length > 0);
  const last = main.at(-1) ?? own.at(-1) ?? steps.at(-1);
  return (strong ?? weak ?? last)?.index ?? null;
}
