import { type Excerpt, takeExcerpt } from "@/lib/core/domain/excerpt";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import { listStepTexts, type TrajectoryStep } from "@/lib/core/domain/trajectory";
import { stripTerminal } from "@/lib/read/loader/detail";

import { type FindRequest, type Place, StoppableSearch } from "./stoppable-search";

interface FoundStep extends Excerpt {
  readonly key: string;
  readonly verb: string;
  readonly nMatches: number;
}

export interface Found {
  readonly nMatches: number;
  readonly hasMore: boolean;
  readonly nSteps: number;
  /** At most {@link LIST_ROWS} matching steps nearest to the open one, in order. */
  readonly steps: readonly FoundStep[];
  readonly nBefore: number;
  readonly firstKey: string | null;
  readonly nextKey: string | null;
  readonly previousKey: string | null;
  readonly problem: string | null;
}

interface FoundAmong extends Found {
  readonly indexes: ReadonlySet<number>;
}

const MAX_MATCHES = 10_000;
const NOTHING = {
  nMatches: 0,
  hasMore: false,
  nSteps: 0,
  steps: [],
  nBefore: 0,
  firstKey: null,
  nextKey: null,
  previousKey: null,
};

/** Searches all texts of the steps. @param current - index of the open step; null opens the first match */
export function findInSteps(
  steps: readonly TrajectoryStep[],
  request: FindRequest,
  current: number | null,
): FoundAmong {
  const pieces = steps.flatMap((step) =>
    [...listStepTexts(step)].map((text) => ({ step, text: stripTerminal(text) })),
  );
  const texts = pieces.map(({ text }) => text);
  const owners = pieces.map(({ step }) => step.index);
  const places = new StoppableSearch(request).run(texts, owners, MAX_MATCHES + 1);
  if (typeof places === "string") return { ...NOTHING, problem: places, indexes: new Set() };
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
    steps: new TextBounder(LIST_ROWS).bound(listed),
    nBefore: from,
    firstKey: found[0]?.step.key ?? null,
    nextKey: found[Math.max(0, next)]?.step.key ?? null,
    previousKey: found.at(previous)?.step.key ?? null,
    problem: null,
    indexes: new Set(found.map(({ step }) => step.index)),
  };
}

function showFound(step: TrajectoryStep, places: readonly Place[], texts: readonly string[]): FoundStep {
  const [at, start, end] = places[0] ?? [0, 0, 0];
  return {
    key: step.key,
    verb: step.calls[0]?.name ?? step.source,
    nMatches: places.length,
    ...takeExcerpt(texts[at] ?? "", start, end),
  };
}
