import { computeDurationMs } from "@/lib/domain/clock-time";
import { ALL_LANES, type Trajectory, type TrajectoryStep } from "@/lib/domain/trajectory";

import { sumSteps, type StepSums } from "./strip";

/** A subagent as one row where it was started. */
export interface LaneRow extends Pick<StepSums, "outputTokens"> {
  readonly name: string;
  /** Of its first step; null where it has none. */
  readonly key: string | null;
  readonly nSteps: number;
  readonly nErrors: number;
  /** Milliseconds from its first step to its last one; null where they state no times. */
  readonly durationMs: number | null;
  /** Others of its depth that were at work in the same time. */
  readonly besides: readonly string[];
  /** Whether its steps are listed behind the one that started it; null where all steps are. */
  readonly isOpen: boolean | null;
}

/** Subagents of a trajectory, which are folded into the step that started them until they are opened. */
export interface Lanes {
  /** The lane in which each was started; those that no step says to have started are none of them, and stay listed. */
  readonly startedIn: ReadonlyMap<string, string>;
  readonly stepsOf: ReadonlyMap<string, readonly TrajectoryStep[]>;
  /** Null where all steps are listed. */
  readonly open: ReadonlySet<string> | null;
}

/** Names of others at work in the same time. */
const MAX_BESIDES = 3;

export function findLanes({ steps }: Pick<Trajectory, "steps">): Omit<Lanes, "open"> {
  const startedIn = new Map<string, string>();
  for (const { lane, calls, results } of steps)
    for (const result of [...calls.flatMap((call) => call.results), ...results])
      for (const started of result.lanes) startedIn.set(started, lane);
  return { startedIn, stepsOf: Map.groupBy(steps, ({ lane }) => lane) };
}

/** The lanes that are open: those that are asked for, and the one of a step with those that lead to it. */
export function openLanes(
  { startedIn }: Omit<Lanes, "open">,
  asked: readonly string[],
  step: TrajectoryStep | undefined,
): ReadonlySet<string> {
  const open = new Set(asked.includes(ALL_LANES) ? startedIn.keys() : asked);
  // A lane is started in one that was there before, so that none leads back to itself.
  for (let lane = step?.lane; lane !== undefined; lane = startedIn.get(lane)) open.add(lane);
  return open;
}

/** The steps without those of subagents that are closed, or below one that is. */
export function foldLanes(steps: readonly TrajectoryStep[], lanes: Lanes): readonly TrajectoryStep[] {
  const { startedIn, open } = lanes;
  if (open === null || startedIn.size === 0) return steps;
  const isShown = (lane: string): boolean => {
    const above = startedIn.get(lane);
    return above === undefined || (open.has(lane) && isShown(above));
  };
  const shown = new Map([...new Set(steps.map(({ lane }) => lane))].map((lane) => [lane, isShown(lane)]));
  return steps.filter(({ lane }) => shown.get(lane) === true);
}

/** A subagent with what its steps took together. */
export function describeLane(name: string, { startedIn, stepsOf, open }: Lanes): LaneRow {
  const steps = stepsOf.get(name) ?? [];
  const own = findTimes(steps);
  const depth = steps[0]?.depth;
  const besides =
    own === null
      ? []
      : [...startedIn.keys()].filter((other) => {
          const there = stepsOf.get(other) ?? [];
          const times = other === name || there[0]?.depth !== depth ? null : findTimes(there);
          return (
            times !== null && times.zoned === own.zoned && times.from < own.until && own.from < times.until
          );
        });
  const { outputTokens } = sumSteps(steps);
  return {
    name,
    key: steps[0]?.key ?? null,
    nSteps: steps.length,
    nErrors: steps.filter(({ marks }) => marks.length > 0).length,
    durationMs: own === null ? null : own.until - own.from,
    outputTokens,
    besides: besides.slice(0, MAX_BESIDES),
    isOpen: open === null ? null : open.has(name),
  };
}

/**
 * When the first step of some began, and the last one, in milliseconds, and whether these are instants; null where either is
 * not stated, or not on the same clock, and where time runs backwards.
 */
function findTimes(steps: readonly TrajectoryStep[]) {
  const [first, last] = [steps[0]?.at ?? null, steps.at(-1)?.at ?? null];
  const durationMs = computeDurationMs({ startedAt: first, finishedAt: last });
  if (first === null || durationMs === null) return null;
  return { from: first.epochMs, until: first.epochMs + durationMs, zoned: first.zoned };
}
