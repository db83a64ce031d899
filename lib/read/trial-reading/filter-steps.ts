import type { StepCondition, StepRange, StepSource, TrajectoryStep } from "@/lib/core/domain/trajectory";

export interface StepFilter {
  readonly roles: readonly StepSource[];
  readonly tools: readonly string[];
  readonly paths: readonly string[];
  /** Keys of the first and last step. Unknown keys count as null, which matches all. */
  readonly range: StepRange | null;
  readonly only: readonly StepCondition[];
}

/** Returns the same list without a filter. The caller applies `matches`. */
export function filterSteps(
  steps: readonly TrajectoryStep[],
  { roles, tools, paths, range, only }: StepFilter,
): readonly TrajectoryStep[] {
  const stretch = range === null ? steps : takeStretch(steps, range);
  if (roles.length + tools.length + paths.length === 0 && !only.includes("errors")) return stretch;
  const [named, touched] = [new Set(tools), new Set(paths)];
  return stretch.filter(
    ({ source, calls, marks }) =>
      (roles.length === 0 || roles.includes(source)) &&
      (named.size === 0 || calls.some(({ name }) => named.has(name))) &&
      (touched.size === 0 || calls.some(({ files }) => files.some((file) => touched.has(file)))) &&
      (!only.includes("errors") || marks.length > 0),
  );
}

function takeStretch(steps: readonly TrajectoryStep[], [first, last]: StepRange): readonly TrajectoryStep[] {
  const [from, to] = [first, last].map((sought) => steps.findIndex(({ key }) => key === sought));
  return from === undefined || to === undefined || from === -1 || to === -1
    ? steps
    : steps.slice(from, to + 1);
}

export function countFacets(steps: readonly TrajectoryStep[]) {
  return {
    roles: countValues(steps.map(({ source }) => [source])),
    tools: countValues(steps.map(({ calls }) => [...new Set(calls.map(({ name }) => name))])),
    paths: countValues(steps.map(({ calls }) => [...new Set(calls.flatMap(({ files }) => files))])),
    nErrors: steps.filter(({ marks }) => marks.length > 0).length,
  };
}

function countValues<T extends string>(lists: readonly (readonly T[])[]) {
  const counts = new Map<T, number>();
  for (const value of lists.flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count);
}
