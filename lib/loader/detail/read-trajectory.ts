import type { Trajectory, TrajectoryStep } from "@/lib/domain/trajectory";

import { addTrajectory, type FlatTrajectory } from "./flatten-trajectory";
import { listTrajectoryStarts } from "./load-trajectory-files";
import { prepareOutline } from "./outline";
import { isStrongMark } from "./step-marks";

/**
 * The whole trajectory of a trial: ATIF v1.0 to 1.7 or a plain list, with continuations, embedded and external
 * subagents, and a simulated user, as flat rows. Never throws for what is on disk: trouble is in `issues`, whose paths
 * are relative to the trial folder. A trial without a trajectory gives no steps and no issue.
 * @param stepNames - of a multi-step trial in the order they ran; null takes the folders below `steps/` by name
 */
export async function readTrajectory(
  trialPath: string,
  stepNames: readonly string[] | null = null,
): Promise<Trajectory> {
  const files = { trialPath, issues: [], files: [] };
  const flat: FlatTrajectory = { files, steps: [], lanes: [], walked: new Set() };
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
    steps: flat.steps,
    outline: outline.entries,
    outlineTotal: outline.total,
    landing: findLanding(flat.steps),
    files: files.files,
    issues: files.issues,
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
