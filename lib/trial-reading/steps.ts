import { type ClockInterval, computeDurationMs } from "@/lib/domain/clock-time";
import type { OutlineEntry, Trajectory, TrajectoryStep } from "@/lib/domain/trajectory";
import { countAddressBytes, countPageBytes } from "@/lib/domain/page-bytes";
import { TextBounder } from "@/lib/domain/text-bounder";
import type { TrialRecord } from "@/lib/domain/trial";
import { WINDOW_STEPS } from "@/lib/domain/trial-lists";

import { chooseLanding, chooseOffset, chooseSteps, findPlace, type StepsRequest } from "./choose-steps";
import { findInstruction, type Instruction } from "./instruction";
import { countFacets, type StepFacets } from "./filter-steps";
import type { Found } from "./find";
import { makeHighlighted } from "./highlight";
import { type Jump, listJumps } from "./jumps";
import type { Lanes } from "./lanes";
import { countPlaceBytes } from "./place";
import { findRepeats, NO_REPEATS, type Repeats } from "./repeated-texts";
import { listBlocks, OPEN_LIMITS, type Room, ROW_LIMITS, shorten, type StepBlock } from "./step-blocks";
import { type OpenPart, openPart } from "./open-part";
import { prepareStrip, type StepSums, type Strip, sumSteps } from "./strip";

// Of all rows of a window together. Far more than real windows have.
const WINDOW_BYTES = 1_200_000;
/** What a row costs beside its texts and its links. */
const HEAD_BYTES = 1_200;
/** Traces that a page offers, and files that it names for being none. */
const MAX_SOURCES = 30;
const MAX_ORIGIN_BYTES = 60_000;
/** Marks that lead to steps. */
const MAX_MARKED = 1_000;
/** Tools that steps can be filtered by. */
const MAX_FACETS = 200;
/** Marks of one step; its blocks have all that they are read out of. */
const MAX_MARKS = 12;

/** A step ready to be shown. */
export interface StepView extends Pick<
  TrajectoryStep,
  | "key"
  | "source"
  | "depth"
  | "file"
  | "lane"
  | "phase"
  | "copied"
  | "durationMs"
  | "marks"
  | "statedId"
  | "usage"
> {
  /** What the step does, such as the tool's name or the source; and the argument that says most. */
  readonly verb: string;
  readonly headline: string;
  readonly nMoreCalls: number;
  readonly nMoreMarks: number;
  readonly blocks: readonly StepBlock[];
  readonly isCurrent: boolean;
  readonly at: string | null;
}

/** Rows above the window, folded into one. */
export interface FoldedSteps {
  readonly count: number;
  readonly firstKey: string;
  readonly lastKey: string;
  /** What they were about, for one line. */
  readonly titles: readonly string[];
  readonly nMarked: number;
  readonly durationMs: number | null;
}

/** A trajectory as its page shows it: the rows of one window, and what leads to the others. */
export interface TrialSteps {
  readonly steps: readonly StepView[];
  /** Steps that are listed, on this page or another; those that fit the filter, of closed subagents too; and all there are. */
  readonly total: number;
  readonly nFitting: number;
  readonly nAll: number;
  /** Subagents that steps say to have started, each with the lane in which it was. */
  readonly started: readonly (readonly [name: string, above: string])[];
  /** What those that fit took. */
  readonly sums: StepSums;
  /** What the agent was asked first; null where nobody asked in words. */
  readonly instruction: Instruction | null;
  /** Among the listed ones, from 0. */
  readonly offset: number;
  /** The row that the address names, else the one the page opens at; null without rows. */
  readonly currentKey: string | null;
  /** The address names a step that is not in this trajectory. */
  readonly isStepUnknown: boolean;
  readonly folded: FoldedSteps | null;
  readonly markedKeys: readonly string[];
  readonly outline: readonly OutlineEntry[];
  /** The entry of the outline that the open step belongs to, with the steps around that one; null without an outline. */
  readonly openPart: OpenPart | null;
  /** Null without a window. */
  readonly strip: Strip | null;
  readonly facets: StepFacets;
  /** Null where nothing was looked for. */
  readonly found: Found | null;
  /** Steps that people look for first. */
  readonly jumps: readonly Jump[];
  /** The forms in which the trajectory lies in the folder, which of them is shown, and what was left out of it. */
  readonly origin: Pick<Trajectory, "sources" | "notes" | "unknown"> & { readonly path: string | null };
}

/** The trajectory of a trial without any. */
export const NO_TRAJECTORY: Trajectory = {
  steps: [],
  outline: [],
  landing: null,
  stop: null,
  files: [],
  digest: null,
  issues: [],
  sources: [],
  source: null,
  notes: [],
  unknown: [],
};

/**
 * A trajectory around a step.
 *
 * @param path - of the trial, which the address of every link names
 * @param window - null leaves the rows out
 */
export function prepareSteps(
  trajectory: Trajectory,
  trial: Pick<TrialRecord, "outcome" | "phases">,
  path: string,
  window: StepsRequest | null,
): TrialSteps {
  const { steps } = trajectory;
  const { listed, fitting, lanes, found, indexes, opened, isUnknown } = chooseSteps(steps, window);
  const wanted = opened ?? chooseLanding(trial, trajectory, fitting);
  const at = wanted === null ? null : findPlace(listed, wanted);
  const total = listed.length;
  const first = window?.from ?? chooseOffset(listed, at);
  const offset = Math.min(Math.max(0, first), Math.max(0, total - 1));
  const rows = window === null ? [] : listed.slice(offset, offset + WINDOW_STEPS);
  const last = steps.findLast((step) => step.depth === 0);
  const current = at === null ? null : (listed[at] ?? null);
  const currentKey = current?.key ?? null;
  const repeats = findRepeats(trajectory);
  return {
    steps: prepareRows(rows, lanes, path, {
      asked: opened?.key ?? null,
      windowBytes: WINDOW_BYTES,
      repeats,
    }).map((view) => ({
      ...view,
      isCurrent: view.key === currentKey,
      ...(view.key === last?.key ? describeLast(last, trial.phases.agentExecution) : {}),
    })),
    total,
    nAll: steps.length,
    nFitting: fitting.length,
    started: [...lanes.startedIn],
    sums: sumSteps(fitting),
    instruction: findInstruction(steps),
    offset,
    currentKey,
    isStepUnknown: isUnknown,
    folded: foldSteps(trajectory, listed, offset),
    markedKeys: fitting
      .filter((step) => step.marks.length > 0)
      .slice(0, MAX_MARKED)
      .map(({ key }) => key),
    outline: trajectory.outline,
    openPart: window === null ? null : openPart(trajectory, current),
    strip: window === null ? null : prepareStrip(steps, { found: indexes, current, rows }),
    facets: new TextBounder(MAX_FACETS).bound(countFacets(steps)),
    found,
    jumps: listJumps(steps),
    origin: new TextBounder(MAX_SOURCES, MAX_ORIGIN_BYTES).bound({
      sources: trajectory.sources,
      path: trajectory.source,
      notes: trajectory.notes,
      unknown: trajectory.unknown,
    }),
  };
}

/**
 * The rows of a window, each with as much of its step as the window has room for; the one that was asked for comes first.
 *
 * @param asked - key of a step; null for none
 * @param windowBytes - bytes of a page that all of them may take
 * @param repeats - texts to fold, which stand in earlier steps as well
 */
export function prepareRows(
  steps: readonly TrajectoryStep[],
  lanes: Lanes,
  path: string,
  {
    asked = null,
    windowBytes,
    repeats = NO_REPEATS,
  }: { readonly asked?: string | null; readonly windowBytes: number; readonly repeats?: Repeats },
): readonly StepView[] {
  const linkBytes = countPlaceBytes(path) + countAddressBytes(steps[0]?.file ?? "");
  const rows = steps.map((step) => ({ step, head: prepareHead(step) }));
  // Every row is there, whatever the others hold.
  const headBytes = rows.reduce((sum, { head }) => sum + countHeadBytes(head, linkBytes), 0);
  const opened = steps.find(({ key }) => key === asked);
  return makeHighlighted((highlighter) => {
    const room: Room = { bytes: windowBytes - headBytes, linkBytes, highlighter, repeats };
    const openedBlocks = opened && listBlocks(opened, lanes, { ...OPEN_LIMITS, room });
    return rows.map(({ step, head }) => ({
      ...head,
      blocks: (step === opened && openedBlocks) || listBlocks(step, lanes, { ...ROW_LIMITS, room }),
    }));
  });
}

function foldSteps(
  { outline }: Trajectory,
  listed: readonly TrajectoryStep[],
  offset: number,
): FoldedSteps | null {
  const rows = listed.slice(0, offset);
  const first = rows[0];
  const last = rows.findLast(({ depth }) => depth === 0) ?? rows.at(-1);
  if (first === undefined || last === undefined) return null;
  const next = listed[offset];
  return {
    count: rows.length,
    firstKey: first.key,
    lastKey: last.key,
    titles: outline.filter(({ index }) => index < (next?.index ?? Infinity)).map(({ title }) => title),
    nMarked: rows.filter((step) => step.marks.length > 0).length,
    durationMs: sumSteps(rows).durationMs,
  };
}

/** The last step ends with the agent; without a call it is what the agent leaves as its answer. */
function describeLast(step: TrajectoryStep, agent: ClockInterval | null): Partial<StepView> {
  const durationMs = computeDurationMs({ startedAt: step.at, finishedAt: agent?.finishedAt ?? null });
  const isAnswer = step.source === "agent" && step.calls.length === 0 && step.message.length > 0;
  return isAnswer ? { durationMs, headline: "final message" } : { durationMs };
}

type StepHead = Omit<StepView, "blocks">;

/** Its verb stands in one place, its headline in two; a link leads to it, one to its file where not all of it is shown. */
function countHeadBytes({ verb, headline, lane, marks, statedId, at }: StepHead, linkBytes: number): number {
  const texts = [
    verb,
    headline,
    headline,
    lane,
    statedId ?? "",
    at ?? "",
    ...marks.map(({ label }) => label),
  ];
  return texts.reduce((sum, text) => sum + countPageBytes(text), HEAD_BYTES + 2 * linkBytes);
}

function prepareHead(step: TrajectoryStep): StepHead {
  const call = step.calls[0];
  return shorten({
    key: step.key,
    source: step.source,
    depth: step.depth,
    file: step.file,
    lane: step.lane,
    phase: step.phase,
    copied: step.copied,
    verb: call?.name ?? step.source,
    headline: call?.headline ?? (step.message.length === 0 && step.reasoning !== null ? "reasoning" : ""),
    nMoreCalls: Math.max(0, step.calls.length - 1),
    usage: step.usage,
    durationMs: step.durationMs,
    marks: step.marks.slice(0, MAX_MARKS),
    nMoreMarks: Math.max(0, step.marks.length - MAX_MARKS),
    isCurrent: false,
    statedId: step.statedId,
    at: step.at?.text ?? null,
  });
}
