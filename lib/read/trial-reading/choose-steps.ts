import type { Trajectory, TrajectoryStep } from "@/lib/core/domain/trajectory";
import type { Trial } from "@/lib/core/domain/trial";

import { filterSteps, type StepFilter } from "./filter-steps";
import { findInSteps, type Found } from "./find";
import { findLanes, foldLanes, type Lanes, openLanes } from "./lanes";
import type { FindRequest } from "./stoppable-search";

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

interface ChosenSteps {
  /** Without a filter, excludes steps of closed subagents. */
  readonly listed: readonly TrajectoryStep[];
  /** Includes matching steps of closed subagents. */
  readonly fitting: readonly TrajectoryStep[];
  readonly lanes: Lanes;
  readonly found: Found | null;
  readonly indexes: ReadonlySet<number>;
  readonly opened: TrajectoryStep | undefined;
  readonly isUnknown: boolean;
}

export function chooseSteps(steps: readonly TrajectoryStep[], window: StepsRequest | null): ChosenSteps {
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
    listed: foldLanes(fitting, { ...lanes, open }),
    fitting,
    lanes: { ...lanes, open },
    found,
    indexes,
    opened,
    isUnknown: asked !== null && named === undefined && steps.length > 0,
  };
}

const NOTHING_FOUND: Pick<ChosenSteps, "found" | "indexes"> = { found: null, indexes: new Set() };

function find(
  steps: readonly TrajectoryStep[],
  { find: request }: StepsRequest,
  current: number | null,
): Pick<ChosenSteps, "found" | "indexes"> {
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

/** The wanted step comes first. Folding one or two rows costs more than it saves. */
export function chooseOffset(at: number | null): number {
  return at === null || at < 3 ? 0 : at;
}
