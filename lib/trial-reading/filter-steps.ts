import type { StepCondition, StepRange, StepSource, TrajectoryStep } from "@/lib/domain/trajectory";

/** Which steps are listed: those that fit each part that chooses anything. */
export interface StepFilter {
  readonly roles: readonly StepSource[];
  /** Names of tools, as calls state them. */
  readonly tools: readonly string[];
  /** Paths of files, as calls state them. */
  readonly paths: readonly string[];
  /** Keys of the first and the last step of a stretch; null for all, as are keys that no step has. */
  readonly range: StepRange | null;
  readonly only: readonly StepCondition[];
}

/** What a trajectory's steps can be filtered by, the commonest first, counted over all of them. */
export interface StepFacets {
  readonly roles: readonly { readonly value: StepSource; readonly count: number }[];
  readonly tools: readonly { readonly value: string; readonly count: number }[];
  readonly paths: readonly { readonly value: string; readonly count: number }[];
  readonly nErrors: number;
}

/** The steps that fit; the very same list where nothing is chosen. What was found is asked for by the caller. */
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

/** Counts what the steps can be filtered by. */
export function countFacets(steps: readonly TrajectoryStep[]): StepFacets {
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
