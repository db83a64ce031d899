import { TextBounder } from "@/lib/core/domain/text-bounder";
import type { TrajectoryStep } from "@/lib/core/domain/trajectory";
import { describeStep } from "@/lib/read/loader/detail";

const MOST_COLUMNS = 360;

export type StepSums = ReturnType<typeof sumSteps>;

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
