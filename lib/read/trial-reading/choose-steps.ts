import { takeExcerpt } from "@/lib/core/domain/excerpt";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import {
  listStepTexts,
  type StepCondition,
  type StepRange,
  type StepSource,
  type Trajectory,
  type TrajectoryStep,
} from "@/lib/core/domain/trajectory";
import type { Trial } from "@/lib/core/domain/trial";
import { stripTerminal } from "@/lib/read/loader/detail";

import { type FindRequest, type Place, StoppableSearch } from "./stoppable-search";
import { findLanes, foldLanes, openLanes } from "./strip";

export interface StepsRequest {
  /** `path` of the trace to show. Null or an unknown path shows the richest. */
  readonly source: string | null;
  /** Null opens the step of {@link chooseLanding}. */
  readonly step: string | null;
  readonly from: number | null;
  readonly find: FindRequest | null;
  readonly filter: StepFilter;
  readonly lanes: readonly string[];
}

export function chooseSteps(steps: readonly TrajectoryStep[], window: StepsRequest | null) {
  const lanes = findLanes({ steps });
  if (window === null)
    return {
      listed: steps,
      fitting: steps,
      lanes: { ...lanes, open: null },
      ...NOTHING_FOUND,
      opened: undefined,
      isUnknown: false,
    };
  const { step: asked, filter } = window;
  const filtered = filterSteps(steps, filter);
  const named = asked === null ? undefined : steps.find(({ key }) => key === asked);
  const { found, indexes } = find(filtered, window, named?.index ?? null);
  const isMatch = filter.only.includes("matches") && found !== null;
  const fitting = isMatch ? filtered.filter(({ index }) => indexes.has(index)) : filtered;
  const opened = named ?? steps.find(({ key }) => key === found?.firstKey);
  const open = fitting === steps ? openLanes(lanes, window.lanes, opened) : null;
  return {
    /** Without a filter, excludes steps of closed subagents. */
    listed: foldLanes(fitting, { ...lanes, open }),
    /** Includes matching steps of closed subagents. */
    fitting,
    lanes: { ...lanes, open },
    found,
    indexes,
    opened,
    isUnknown: asked !== null && named === undefined && steps.length > 0,
  };
}

const NOTHING_FOUND = { found: null, indexes: new Set<number>() };

function find(steps: readonly TrajectoryStep[], { find: request }: StepsRequest, current: number | null) {
  if (request === null) return NOTHING_FOUND;
  const { indexes, ...found } = findInSteps(steps, request, current);
  return { found, indexes };
}

/** Returns the index of a step, else of the next listed one, else the last; null for an empty list. */
export function findPlace(listed: readonly TrajectoryStep[], wanted: TrajectoryStep | null): number | null {
  if (wanted === null) return null;
  const at = listed.findIndex((step) => step.index >= wanted.index);
  return at === -1 ? (listed.length === 0 ? null : listed.length - 1) : at;
}

/**
 * Returns the step that decided the trial, else the last with an error, else the last. A passed trial opens at the agent's answer,
 * because earlier failures no longer matter.
 */
export function chooseLanding(
  trial: Pick<Trial, "outcome">,
  { steps, landing }: Trajectory,
  decisive: string | null,
): TrajectoryStep | null {
  const answer =
    trial.outcome === "passed"
      ? steps.findLast((step) => step.depth === 0 && step.source === "agent" && !step.copied)
      : steps.find(({ key }) => key === decisive);
  return answer ?? steps[landing ?? -1] ?? null;
}

export type Found = Omit<ReturnType<typeof findInSteps>, "indexes">;

const MAX_MATCHES = 10_000;

/** Searches all texts of the steps. @param current - index of the open step; null opens the first match */
export function findInSteps(steps: readonly TrajectoryStep[], request: FindRequest, current: number | null) {
  const pieces = steps.flatMap((step) =>
    [...listStepTexts(step)].map((text) => ({ step, text: stripTerminal(text) })),
  );
  const texts = pieces.map(({ text }) => text);
  const owners = pieces.map(({ step }) => step.index);
  const answer = new StoppableSearch(request).run(texts, owners, MAX_MATCHES + 1);
  const [places, problem]: [readonly Place[], string | null] =
    typeof answer === "string" ? [[], answer] : [answer, null];
  const byStep = Map.groupBy(places, ([at]) => pieces[at]?.step);
  const found = [...byStep].flatMap(([step, own]) => (step === undefined ? [] : [{ step, own }]));
  const open = current ?? found[0]?.step.index ?? -1;
  const next = found.findIndex(({ step }) => step.index > open);
  const previous = found.findLastIndex(({ step }) => step.index < open);
  const from = Math.max(0, (next === -1 ? found.length : next) - LIST_ROWS / 2);
  const listed = found.slice(from, from + LIST_ROWS).map(({ step, own }) => showFound(step, own, texts));
  return {
    nMatches: Math.min(places.length, MAX_MATCHES),
    hasMore: places.length > MAX_MATCHES,
    nSteps: found.length,
    /** At most {@link LIST_ROWS} matching steps nearest to the open one, in order. */
    steps: new TextBounder(LIST_ROWS).bound(listed),
    nBefore: from,
    firstKey: found[0]?.step.key ?? null,
    nextKey: found[Math.max(0, next)]?.step.key ?? null,
    previousKey: found.at(previous)?.step.key ?? null,
    problem,
    indexes: new Set(found.map(({ step }) => step.index)),
  };
}

function showFound(step: TrajectoryStep, places: readonly Place[], texts: readonly string[]) {
  const [at, start, end] = places[0] ?? [0, 0, 0];
  return {
    key: step.key,
    verb: step.calls[0]?.name ?? step.source,
    nMatches: places.length,
    ...takeExcerpt(texts[at] ?? "", start, end),
  };
}

export interface StepFilter {
  readonly roles: readonly StepSource[];
  readonly tools: readonly string[];
  readonly paths: readonly string[];
  /** Keys of the first and last step. Unknown keys count as null, which matches all. */
  readonly range: StepRange | null;
  readonly only: readonly StepCondition[];
}

/** Returns the same list without a filter. The caller applies `matches`. */
function filterSteps(
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
