import { type ClockInterval, computeDurationMs } from "@/lib/domain/clock-time";
import type { OutlineEntry, Trajectory, TrajectoryStep } from "@/lib/domain/trajectory";
import { countAddressBytes, countPageBytes } from "@/lib/domain/page-bytes";
import { TextBounder } from "@/lib/domain/text-bounder";
import type { TrialRecord } from "@/lib/domain/trial";
import { WINDOW_STEPS } from "@/lib/domain/trial-lists";

import { type Found, findInSteps, type FindRequest } from "./find";
import { type Jump, listJumps } from "./jumps";
import { countPlaceBytes } from "./place";
import { listBlocks, OPEN_LIMITS, type Room, ROW_LIMITS, shorten, type StepBlock } from "./step-blocks";
import { prepareTimeline, type Timeline } from "./timeline";

// Rows kept above the one that is opened, so that it has context.
const CONTEXT_STEPS = 3;

// Of all rows of a window together. Far more than real windows have.
const WINDOW_BYTES = 1_200_000;
/** What a row costs beside its texts and its links. */
const HEAD_BYTES = 1_200;
/** Traces that a page offers, and files that it names for being none. */
const MAX_SOURCES = 30;
const MAX_ORIGIN_BYTES = 60_000;
/** Marks that lead to steps. */
const MAX_MARKED = 1_000;
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
  | "tokens"
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
  readonly total: number;
  readonly offset: number;
  /** The row that the address names, else the one the page opens at; null without rows. */
  readonly currentKey: string | null;
  /** The address names a step that is not in this trajectory. */
  readonly isStepUnknown: boolean;
  readonly folded: FoldedSteps | null;
  readonly markedKeys: readonly string[];
  readonly outline: readonly OutlineEntry[];
  readonly outlineTotal: number;
  /** Null without a phase that has both ends. */
  readonly timeline: Timeline | null;
  /** Null where nothing was looked for. */
  readonly found: Found | null;
  /** Steps that people look for first. */
  readonly jumps: readonly Jump[];
  /** The forms in which the trajectory lies in the folder, which of them is shown, and what was left out of it. */
  readonly origin: Pick<Trajectory, "sources" | "notes" | "unknown"> & { readonly path: string | null };
}

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
}

/** The trajectory of a trial without any. */
export const NO_TRAJECTORY: Trajectory = {
  steps: [],
  outline: [],
  outlineTotal: 0,
  landing: null,
  files: [],
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
  const { found, opened, isUnknown } = chooseOpened(steps, window);
  const current = opened?.index ?? chooseLanding(trial, trajectory);
  const total = steps.length;
  const wanted = window?.from ?? chooseOffset(trajectory, current);
  const offset = Math.min(Math.max(0, wanted), Math.max(0, total - 1));
  const rows = window === null ? [] : steps.slice(offset, offset + WINDOW_STEPS);
  const last = steps.findLast((step) => step.depth === 0);
  const currentKey = current === null ? null : (steps[current]?.key ?? null);
  return {
    steps: prepareRows(rows, trajectory, path, opened?.key ?? null).map((view) => ({
      ...view,
      isCurrent: view.key === currentKey,
      ...(view.key === last?.key ? describeLast(last, trial.phases.agentExecution) : {}),
    })),
    total,
    offset,
    currentKey,
    isStepUnknown: isUnknown,
    folded: foldSteps(trajectory, offset),
    markedKeys: steps
      .filter((step) => step.marks.length > 0)
      .slice(0, MAX_MARKED)
      .map(({ key }) => key),
    outline: trajectory.outline,
    outlineTotal: trajectory.outlineTotal,
    timeline: prepareTimeline(trial.phases, steps),
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

/** The step that the address asks for, else the first that has what is looked for. */
function chooseOpened(steps: readonly TrajectoryStep[], window: StepsRequest | null) {
  const asked = window?.step ?? null;
  const named = asked === null ? undefined : steps.find(({ key }) => key === asked);
  const found = window?.find ? findInSteps(steps, window.find, named?.index ?? null) : null;
  const opened = named ?? steps.find(({ key }) => key === found?.firstKey);
  return { found, opened, isUnknown: asked !== null && named === undefined && steps.length > 0 };
}

/** The rows of a window, each with as much of its step as the window has room for; the one that was asked for comes first. */
function prepareRows(
  steps: readonly TrajectoryStep[],
  trajectory: Trajectory,
  path: string,
  asked: string | null,
): readonly StepView[] {
  const linkBytes = countPlaceBytes(path) + countAddressBytes(steps[0]?.file ?? "");
  const rows = steps.map((step) => ({ step, head: prepareHead(step) }));
  // Every row is there, whatever the others hold.
  const headBytes = rows.reduce((sum, { head }) => sum + countHeadBytes(head, linkBytes), 0);
  const room: Room = { bytes: WINDOW_BYTES - headBytes, linkBytes };
  const opened = steps.find(({ key }) => key === asked);
  const openedBlocks = opened && listBlocks(opened, trajectory, { ...OPEN_LIMITS, room });
  return rows.map(({ step, head }) => ({
    ...head,
    blocks: (step === opened && openedBlocks) || listBlocks(step, trajectory, { ...ROW_LIMITS, room }),
  }));
}

/** A trial that passed opens at what its agent left as an answer: a failure on the way there was mended. */
function chooseLanding(trial: Pick<TrialRecord, "outcome">, trajectory: Trajectory): number | null {
  if (trial.outcome !== "passed") return trajectory.landing;
  const answer = trajectory.steps.findLast(
    (step) => step.depth === 0 && step.source === "agent" && !step.copied,
  );
  return answer?.index ?? trajectory.landing;
}

/** Folding one or two rows away costs more than it gives. The fold ends where the main agent goes on. */
function chooseOffset({ steps }: Trajectory, current: number | null): number {
  if (current === null || current < CONTEXT_STEPS + 3) return 0;
  const wanted = current - CONTEXT_STEPS;
  const isInside = steps[current]?.depth !== 0;
  return isInside ? wanted : steps.findIndex(({ depth, index }) => index >= wanted && depth === 0);
}

function foldSteps(trajectory: Trajectory, offset: number): FoldedSteps | null {
  const rows = trajectory.steps.slice(0, offset);
  const first = rows[0];
  const last = rows.findLast(({ depth }) => depth === 0) ?? rows.at(-1);
  if (first === undefined || last === undefined) return null;
  const until = trajectory.steps[offset]?.at ?? null;
  return {
    count: rows.length,
    firstKey: first.key,
    lastKey: last.key,
    titles: trajectory.outline.filter(({ index }) => index < offset).map(({ title }) => title),
    nMarked: rows.filter((step) => step.marks.length > 0).length,
    durationMs: computeDurationMs({ startedAt: first.at, finishedAt: until }),
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
    tokens: step.tokens,
    durationMs: step.durationMs,
    marks: step.marks.slice(0, MAX_MARKS),
    nMoreMarks: Math.max(0, step.marks.length - MAX_MARKS),
    isCurrent: false,
    statedId: step.statedId,
    at: step.at?.text ?? null,
  });
}
