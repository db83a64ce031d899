import type { Trajectory, TrajectoryStep } from "@/lib/domain/trajectory";

import { addTrajectory } from "./flatten-trajectory";
import type { FlatTrajectory } from "./flatten-trajectory";
import { listTrajectoryStarts, stampOf } from "./load-trajectory-files";
import { prepareOutline } from "./outline";
import { isStrongMark } from "./step-marks";

interface CacheEntry {
  readonly trajectory: Trajectory;
  readonly stamps: ReadonlyMap<string, string>;
}

const MAX_CACHED = 8;
// Insertion order is the order of use: the first key is the one to forget.
const cache = new Map<string, CacheEntry>();

/** What to read besides the folder itself. */
export interface TrajectoryOptions {
  /** Steps of a multi-step trial in the order they ran; null takes the folders below `steps/` by name. */
  readonly stepNames?: readonly string[] | null;
}

/**
 * The whole trajectory of a trial: ATIF v1.0 to 1.7 or a plain list, with continuations, embedded and external
 * subagents, and a simulated user, as flat rows. Never throws for what is on disk: trouble is in `issues`, whose paths
 * are relative to the trial folder. A trial without a trajectory gives no steps and no issue.
 * @remarks Parsed once and kept for the last 8 trials while no file that was looked at changes.
 */
export async function readTrajectory(
  trialPath: string,
  options: TrajectoryOptions = {},
): Promise<Trajectory> {
  const key = JSON.stringify([trialPath, ...(options.stepNames ?? [])]);
  const cached = cache.get(key);
  if (cached !== undefined && (await isFresh(trialPath, cached))) {
    cache.delete(key);
    cache.set(key, cached);
    return cached.trajectory;
  }
  const entry = await readUncached(trialPath, options.stepNames ?? null);
  cache.delete(key);
  cache.set(key, entry);
  const oldest = cache.keys().next().value;
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  return entry.trajectory;
}

async function isFresh(trialPath: string, entry: CacheEntry): Promise<boolean> {
  for (const [file, stamp] of entry.stamps) {
    if ((await stampOf(trialPath, file)) !== stamp) return false;
  }
  return true;
}

async function readUncached(trialPath: string, stepNames: readonly string[] | null): Promise<CacheEntry> {
  const files = { trialPath, issues: [], files: [], stamps: new Map<string, string>() };
  const flat: FlatTrajectory = { files, steps: [], lanes: [], walked: new Set() };
  files.stamps.set("steps", await stampOf(trialPath, "steps"));
  let found = false;
  for (const start of await listTrajectoryStarts(trialPath, stepNames)) {
    found = (await addTrajectory(flat, start, "main")) || found;
  }
  for (const file of found ? [] : ["agent/trajectory.jsonl", "artifacts/agent/trajectory.json"]) {
    found ||= await addTrajectory(flat, { file, phase: null }, "main");
  }
  await addTrajectory(flat, { file: "user-agent/trajectory.json", phase: null }, "simulated user");
  const outline = prepareOutline(flat.steps);
  return {
    stamps: files.stamps,
    trajectory: {
      steps: flat.steps,
      lanes: flat.lanes,
      outline: outline.entries,
      outlineTotal: outline.total,
      landing: findLanding(flat.steps),
      files: files.files,
      issues: files.issues,
    },
  };
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
