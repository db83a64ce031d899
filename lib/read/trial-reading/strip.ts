import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import { type TrajectoryStep, ALL_LANES, type Trajectory } from "@/lib/core/domain/trajectory";
import { describeStep } from "@/lib/read/loader/detail";

const MOST_COLUMNS = 360;

/** An amount is null if no step states it. A simulated user is also a model, so users' steps have a cost too. */
export function sumSteps(steps: readonly TrajectoryStep[]) {
  return {
    outputTokens: sum(steps, ({ usage }) => usage?.outputTokens ?? null),
    costUsd: sum(steps, ({ usage }) => usage?.costUsd ?? null),
    userCostUsd: sum(
      steps.filter(({ source }) => source === "user"),
      ({ usage }) => usage?.costUsd ?? null,
    ),
    // The main agent only, because subagents run in parallel.
    durationMs: sum(
      steps.filter(({ depth }) => depth === 0),
      ({ durationMs }) => durationMs,
    ),
  };
}

interface Shown {
  readonly found: ReadonlySet<number>;
  readonly current: TrajectoryStep | null;
  readonly rows: readonly TrajectoryStep[];
}

export type Strip = ReturnType<typeof prepareStrip>;
export type StripColumn = Strip["columns"][number];

export function prepareStrip(steps: readonly TrajectoryStep[], { found, current, rows }: Shown) {
  const nColumns = Math.min(steps.length, MOST_COLUMNS);
  const edge = (nth: number) => Math.floor((nth * steps.length) / nColumns);
  const columns = Array.from({ length: nColumns }, (_, nth) => steps.slice(edge(nth), edge(nth + 1))).flatMap(
    (part) => {
      const [first] = part;
      if (first === undefined) return [];
      return {
        key: first.key,
        lastKey: part.at(-1)?.key ?? first.key,
        nSteps: part.length,
        label: describeStep(first),
        isSpokenTo: part.some(({ source }) => source !== "agent"),
        durationMs: sum(part, ({ durationMs }) => durationMs),
        outputTokens: sum(part, ({ usage }) => usage?.outputTokens ?? null),
        contextTokens: max(part, ({ usage }) => usage?.inputTokens ?? null),
        nErrors: part.filter(({ marks }) => marks.length > 0).length,
        nFound: part.filter(({ index }) => found.has(index)).length,
      };
    },
  );
  const columnOf = (index: number) => Math.floor(((index + 1) * nColumns - 1) / steps.length);
  const [first, last] = [rows[0], rows.at(-1)];
  return new TextBounder(MOST_COLUMNS).bound({
    columns,
    current: current === null ? null : columnOf(current.index),
    listed:
      first === undefined || last === undefined
        ? null
        : ([columnOf(first.index), columnOf(last.index)] as const),
    ...sumSteps(steps),
    contextTokens: max(steps, ({ usage }) => usage?.inputTokens ?? null),
    nErrors: columns.reduce((n, { nErrors }) => n + nErrors, 0),
  });
}

type Amount = (step: TrajectoryStep) => number | null;

function sum(steps: readonly TrajectoryStep[], amountOf: Amount): number | null {
  const known = steps.flatMap((step) => amountOf(step) ?? []);
  return known.length === 0 ? null : known.reduce((total, amount) => total + amount, 0);
}

function max(steps: readonly TrajectoryStep[], amountOf: Amount): number | null {
  return steps.reduce<number | null>((most, step) => {
    const amount = amountOf(step);
    return amount === null ? most : Math.max(most ?? amount, amount);
  }, null);
}

export type LaneRow = ReturnType<typeof describeLane>;

export interface Lanes {
  /** Maps each subagent to the lane that started it. A subagent without a known start is absent and stays listed. */
  readonly startedIn: ReadonlyMap<string, string>;
  readonly stepsOf: ReadonlyMap<string, readonly TrajectoryStep[]>;
  readonly open: ReadonlySet<string> | null;
}

const MAX_BESIDES = 3;

export function findLanes({ steps }: Pick<Trajectory, "steps">): Omit<Lanes, "open"> {
  const startedIn = new Map<string, string>();
  for (const { lane, calls, results } of steps)
    for (const result of [...calls.flatMap((call) => call.results), ...results])
      for (const started of result.lanes) startedIn.set(started, lane);
  return { startedIn, stepsOf: Map.groupBy(steps, ({ lane }) => lane) };
}

export function openLanes(
  { startedIn }: Omit<Lanes, "open">,
  asked: readonly string[],
  step: TrajectoryStep | undefined,
): ReadonlySet<string> {
  const open = new Set(asked.includes(ALL_LANES) ? startedIn.keys() : asked);
  // Only an earlier lane starts a lane, so this loop ends.
  for (let lane = step?.lane; lane !== undefined; lane = startedIn.get(lane)) open.add(lane);
  return open;
}

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

export function describeLane(name: string, { startedIn, stepsOf, open }: Lanes) {
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
    /** True if its steps are listed after the one that started it; null if all steps are listed. */
    isOpen: open === null ? null : open.has(name),
  };
}

/** Returns start and end in epoch milliseconds; null if a time is missing, the clocks differ, or time runs backwards. */
function findTimes(steps: readonly TrajectoryStep[]) {
  const [first, last] = [steps[0]?.at ?? null, steps.at(-1)?.at ?? null];
  const durationMs = computeDurationMs({ startedAt: first, finishedAt: last });
  if (first === null || durationMs === null) return null;
  return { from: first.epochMs, until: first.epochMs + durationMs, zoned: first.zoned };
}
