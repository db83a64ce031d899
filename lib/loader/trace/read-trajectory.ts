import type { Trajectory, TrajectoryStep } from "@/lib/domain/trajectory";

import { listTrialFiles } from "../detail/list-trial-files";
import { combineDigests } from "../digest";
import { addTrajectory, type FlatTrajectory } from "./flatten-trajectory";
import { findSources, type FoundSource } from "./find-sources";
import { loadTrajectoryFile, MAX_TRACE_BYTES, MAX_TRACE_VALUES, type TrajectoryFiles } from "./open-log";
import { prepareOutline } from "./outline";
import { isStrongMark } from "./step-marks";

/**
 * The whole trajectory of a trial in any form that {@link TRACE_READERS} know, with continuations, embedded and external
 * subagents, and a simulated user, as flat rows. Never throws for what is on disk: trouble is in `issues`, whose paths
 * are relative to the trial folder. A trial without a trajectory gives no steps and no issue.
 * Its digest is of all bytes of every file that was read for it, sources without a step among them. A file above the limit
 * counts by its size and its beginning, since no more of it is read; with one that cannot be read, or is set aside, the digest
 * is null.
 * @param stepNames - of a multi-step trial in the order they ran; null takes the folders below `steps/` by name
 * @param asked - `path` of the source to read; null reads the richest one that has a step
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
      ...(cutNote === null ? [] : [`This trial has more files than are gone through. ${cutNote}`]),
      ...(nLeftOut === 0 ? [] : [`${nLeftOut} more files that may be traces were not looked at.`]),
    ],
    bytesLeft: MAX_TRACE_BYTES,
    valuesLeft: MAX_TRACE_VALUES,
    seen: new Set(),
  };
  const named = sources.filter(({ path }) => path === asked);
  let flat = startFlat(files);
  let shown: FoundSource | null = null;
  for (const source of named.length > 0 ? named : sources) {
    shown ??= source;
    flat = startFlat(files);
    files.seen.clear();
    for (const start of source.starts) await addTrajectory(flat, start, "main");
    if (flat.steps.length === 0) continue;
    shown = source;
    break;
  }
  if (shown === sources[0])
    await addTrajectory(flat, { file: USER_TRAJECTORY, phase: null, reader: null }, "simulated user");
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

/** What the person said whom a second agent plays. */
const USER_TRAJECTORY = "user-agent/trajectory.json";

function startFlat(files: TrajectoryFiles): FlatTrajectory {
  return { files, steps: [], lanes: [], stop: null, walked: new Set(), embedded: new Map() };
}

/** A file that says by its name that it is a trajectory and is none is worth the issue that reading it gives. */
async function reportUnknown(files: TrajectoryFiles, unknown: Trajectory["unknown"]): Promise<void> {
  for (const { path } of unknown)
    if (/(?:^|\/)trajectory\.jsonl?$/u.test(path)) await loadTrajectoryFile(files, path);
}

/** The first step with a mark that is more than `exit 1`, else the last agent step that failed, else the last agent step. */
function findLanding(steps: readonly TrajectoryStep[]): number | null {
  const own = steps.filter((step) => step.source === "agent" && !step.copied);
  const main = own.filter((step) => step.depth === 0);
  const strong = main.find((step) => step.marks.some(isStrongMark));
  const weak = main.findLast((step) => step.marks.length > 0);
  const last = main.at(-1) ?? own.at(-1) ?? steps.at(-1);
  return (strong ?? weak ?? last)?.index ?? null;
}
