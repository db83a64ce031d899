import { TextBounder } from "@/lib/domain/text-bounder";
import type { TrajectoryStep } from "@/lib/domain/trajectory";
import { describeStep } from "@/lib/loader/detail";

/** Columns of the strip: one a step where there are no more. */
const MOST_COLUMNS = 360;

/** Some steps on end as one column of the strip, each amount null where no step of it states one. */
export interface StripColumn {
  /** Of its first and its last step. */
  readonly key: string;
  readonly lastKey: string;
  readonly nSteps: number;
  /** What its first step does. */
  readonly label: string;
  /** Whether somebody else than the agent speaks in one of its steps. */
  readonly isSpokenTo: boolean;
  /** Milliseconds of its steps together, and tokens that they put out. */
  readonly durationMs: number | null;
  readonly outputTokens: number | null;
  /** Tokens that the model was given, of the step that was given most. */
  readonly contextTokens: number | null;
  /** Steps with an error, and steps that match what is looked for. */
  readonly nErrors: number;
  readonly nFound: number;
}

/** What some steps took together, each null where no step states one. */
export interface StepSums {
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  /** Of that what the user's steps cost, who is a model too; null where none states a cost. */
  readonly userCostUsd: number | null;
  /** Milliseconds of the agent itself: its subagents work in the same time. */
  readonly durationMs: number | null;
}

/** Adds up what some steps took. */
export function sumSteps(steps: readonly TrajectoryStep[]): StepSums {
  return {
    outputTokens: sum(steps, ({ usage }) => usage?.outputTokens ?? null),
    costUsd: sum(steps, ({ usage }) => usage?.costUsd ?? null),
    userCostUsd: sum(
      steps.filter(({ source }) => source === "user"),
      ({ usage }) => usage?.costUsd ?? null,
    ),
    durationMs: sum(
      steps.filter(({ depth }) => depth === 0),
      ({ durationMs }) => durationMs,
    ),
  };
}

/** All steps of a trajectory side by side: where its time and its tokens went, and where it failed. */
export interface Strip extends StepSums {
  readonly columns: readonly StripColumn[];
  /** The largest; null where no step states one. */
  readonly contextTokens: number | null;
  readonly nErrors: number;
  /** Column of the step that is open; null without one. */
  readonly current: number | null;
  /** First and last column with a step that the page lists; null where it lists none. */
  readonly listed: readonly [number, number] | null;
}

/** What of a trajectory the page shows. */
interface Shown {
  /** Indexes of the steps that match what is looked for. */
  readonly found: ReadonlySet<number>;
  readonly current: TrajectoryStep | null;
  readonly rows: readonly TrajectoryStep[];
}

/** Lays all steps out as columns of as many steps each, as far as that comes out even. */
export function prepareStrip(steps: readonly TrajectoryStep[], { found, current, rows }: Shown): Strip {
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
    listed: first === undefined || last === undefined ? null : [columnOf(first.index), columnOf(last.index)],
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
