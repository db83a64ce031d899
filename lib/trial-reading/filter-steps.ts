import type { StepCondition, StepSource, TrajectoryStep } from "@/lib/domain/trajectory";

/** Which steps are listed: those that fit each part that chooses anything. */
export interface StepFilter {
  readonly roles: readonly StepSource[];
  /** Names of tools, as calls state them. */
  readonly tools: readonly string[];
  readonly only: readonly StepCondition[];
}

/** What a trajectory's steps can be filtered by, the commonest first, counted over all of them. */
export interface StepFacets {
  readonly roles: readonly { readonly value: StepSource; readonly count: number }[];
  readonly tools: readonly { readonly value: string; readonly count: number }[];
  readonly nErrors: number;
}

/** The steps that fit; the very same list where nothing is chosen. What was found is asked for by the caller. */
export function filterSteps(
  steps: readonly TrajectoryStep[],
  { roles, tools, only }: StepFilter,
): readonly TrajectoryStep[] {
  if (roles.length === 0 && tools.length === 0 && !only.includes("errors")) return steps;
  const named = new Set(tools);
  return steps.filter(
    ({ source, calls, marks }) =>
      (roles.length === 0 || roles.includes(source)) &&
      (named.size === 0 || calls.some(({ name }) => named.has(name))) &&
      (!only.includes("errors") || marks.length > 0),
  );
}

/** Counts what the steps can be filtered by. */
export function countFacets(steps: readonly TrajectoryStep[]): StepFacets {
  return {
    roles: countValues(steps.map(({ source }) => [source])),
    tools: countValues(steps.map(({ calls }) => [...new Set(calls.map(({ name }) => name))])),
    nErrors: steps.filter(({ marks }) => marks.length > 0).length,
  };
}

function countValues<T extends string>(lists: readonly (readonly T[])[]) {
  const counts = new Map<T, number>();
  for (const value of lists.flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count);
}
