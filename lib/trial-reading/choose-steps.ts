import type { Trajectory, TrajectoryStep } from "@/lib/domain/trajectory";
import type { TrialRecord } from "@/lib/domain/trial";

import { filterSteps, type StepFilter } from "./filter-steps";
import { findInSteps, type Found } from "./find";
import { findLanes, foldLanes, type Lanes, openLanes } from "./lanes";
import type { FindRequest } from "./stoppable-search";

// Rows kept above the one that is opened, so that it has context.
const CONTEXT_STEPS = 3;

/** Which rows to show. */
export interface StepsRequest {
  /** `path` of the trace to show; null, or one that is not there, for the richest. */
  readonly source: string | null;
  /** Key of a step, or null to open at the first failure, or at the agent's last step when there is none or it passed. */
  readonly step: string | null;
  /** 0-based first row; null to choose it by the step. */
  readonly from: number | null;
  /** Null to look for nothing. */
  readonly find: FindRequest | null;
  readonly filter: StepFilter;
  /** Names of subagents whose steps are listed as well; of the others those that a filter leaves. */
  readonly lanes: readonly string[];
}

/** What of a trajectory is shown, before it is cut to a window. */
interface ChosenSteps {
  /** Those that the filter leaves; without one all but those of closed subagents. */
  readonly listed: readonly TrajectoryStep[];
  /** Those that the filter leaves, of closed subagents too. */
  readonly fitting: readonly TrajectoryStep[];
  readonly lanes: Lanes;
  /** Null where nothing was looked for. */
  readonly found: Found | null;
  /** Indexes of all steps that match. */
  readonly indexes: ReadonlySet<number>;
  /** The step that the address asks for, else the first that has what is looked for. */
  readonly opened: TrajectoryStep | undefined;
  /** The address asks for a step that is not there. */
  readonly isUnknown: boolean;
}

/** Filters the steps, looks for what is looked for in those that are left, and finds the one to open. */
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

/** The place of a step in a list, or where the list goes on behind it; its end where it does not, null where it is empty. */
export function findPlace(listed: readonly TrajectoryStep[], { index }: TrajectoryStep): number | null {
  const at = listed.findIndex((step) => step.index >= index);
  return at === -1 ? (listed.length === 0 ? null : listed.length - 1) : at;
}

/**
 * A trial that passed opens at what its agent left as an answer: a failure on the way there was mended. Null for some of the
 * steps, of which the first is as good as any.
 */
export function chooseLanding(
  trial: Pick<TrialRecord, "outcome">,
  { steps, landing }: Trajectory,
  fitting: readonly TrajectoryStep[],
): TrajectoryStep | null {
  if (fitting.length < steps.length) return null;
  const answer =
    trial.outcome === "passed"
      ? steps.findLast((step) => step.depth === 0 && step.source === "agent" && !step.copied)
      : undefined;
  return answer ?? steps[landing ?? -1] ?? null;
}

/** Folding one or two rows away costs more than it gives. The fold ends where the main agent goes on. */
export function chooseOffset(listed: readonly TrajectoryStep[], at: number | null): number {
  if (at === null || at < CONTEXT_STEPS + 3) return 0;
  const wanted = at - CONTEXT_STEPS;
  const isInside = listed[at]?.depth !== 0;
  return isInside ? wanted : listed.findIndex(({ depth }, place) => place >= wanted && depth === 0);
}
