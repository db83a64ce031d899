import { type ClockInterval, computeDurationMs } from "@/lib/domain/clock-time";
import type { OutlineEntry, StepMark, StepSource, Trajectory, TrajectoryStep } from "@/lib/domain/trajectory";
import { countAddressBytes, countPageBytes } from "@/lib/domain/page-bytes";
import type { TrialRecord } from "@/lib/domain/trial";
import { readTrajectory } from "@/lib/loader/detail";

import { countPlaceBytes, type TrialPlace } from "./place";
import { listBlocks, OPEN_LIMITS, type Room, ROW_LIMITS, shorten, type StepBlock } from "./step-blocks";
import { prepareTimeline, type Timeline } from "./timeline";

/** Rows of one window. */
export const WINDOW_STEPS = 100;
// Rows kept above the one that is opened, so that it has context.
const CONTEXT_STEPS = 3;

// Of all rows of a window together. Far more than real windows have.
const WINDOW_BYTES = 1_200_000;
/** What a row costs beside its texts and its links. */
const HEAD_BYTES = 1_200;
/** Marks that lead to steps. */
const MAX_MARKED = 1_000;
/** Marks of one step; its blocks have all that they are read out of. */
const MAX_MARKS = 12;

/** A step ready to be shown. */
export interface StepView {
  readonly key: string;
  readonly source: StepSource;
  readonly depth: number;
  /** Relative to the trial folder. */
  readonly file: string;
  readonly lane: string;
  readonly phase: string | null;
  readonly copied: boolean;
  /** What the step does, such as the tool's name or the source; and the argument that says most. */
  readonly verb: string;
  readonly headline: string;
  readonly nMoreCalls: number;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
  readonly marks: readonly StepMark[];
  readonly nMoreMarks: number;
  readonly blocks: readonly StepBlock[];
  readonly isCurrent: boolean;
  readonly statedId: string | null;
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

/** The trajectory tab. */
export interface TrajectoryPanel {
  readonly steps: readonly StepView[];
  readonly total: number;
  readonly offset: number;
  /** Index of the row the page opened at or the address names; null without rows. */
  readonly currentKey: string | null;
  /** The address names a step that is not in this trajectory. */
  readonly isStepUnknown: boolean;
  readonly folded: FoldedSteps | null;
  readonly files: readonly string[];
  readonly nLanes: number;
  readonly markedKeys: readonly string[];
}

/** Which rows to show. */
export interface TrajectoryRequest {
  /** Key of a step, or null to open at the first failure, or at the agent's last step when there is none or it passed. */
  readonly step: string | null;
  /** 0-based first row; null to choose it by the step. */
  readonly from: number | null;
}

/** The trajectory around a step. The trial has none when `total` is 0; issues are those of {@link readTrialDetails}. */
export async function readTrajectoryPanel(
  place: TrialPlace,
  trial: WalkedTrial,
  request: TrajectoryRequest,
): Promise<TrajectoryPanel> {
  const trajectory = await readPlaced(place);
  const named = request.step === null ? null : trajectory.steps.find(({ key }) => key === request.step);
  const current = named?.index ?? chooseLanding(trial, trajectory);
  const total = trajectory.steps.length;
  const wanted = request.from ?? chooseOffset(trajectory, current);
  const offset = Math.min(Math.max(0, wanted), Math.max(0, total - 1));
  const rows = trajectory.steps.slice(offset, offset + WINDOW_STEPS);
  const last = trajectory.steps.findLast((step) => step.depth === 0) ?? null;
  const currentKey = current === null ? null : (trajectory.steps[current]?.key ?? null);
  return {
    steps: prepareRows(rows, trajectory, place.path ?? "", request.step).map((view) => ({
      ...view,
      isCurrent: view.key === currentKey,
      ...(view.key === last?.key ? describeLast(last, trial.phases.agentExecution) : {}),
    })),
    total,
    offset,
    currentKey,
    isStepUnknown: request.step !== null && named === undefined && total > 0,
    folded: foldSteps(trajectory, offset),
    files: trajectory.files,
    nLanes: trajectory.lanes.length,
    markedKeys: trajectory.steps
      .filter((step) => step.marks.length > 0)
      .slice(0, MAX_MARKED)
      .map(({ key }) => key),
  };
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

/** What of a trial decides which of its steps is shown, and where. */
export type WalkedTrial = Pick<TrialRecord, "outcome" | "phases">;

/** A trial that passed opens at what its agent left as an answer: a failure on the way there was mended. */
function chooseLanding(trial: WalkedTrial, trajectory: Trajectory): number | null {
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

/** Outline and timeline, which stand beside every tab. */
export interface TrajectoryMap {
  readonly outline: readonly OutlineEntry[];
  readonly outlineTotal: number;
  readonly landingKey: string | null;
  readonly timeline: Timeline | null;
}

/** The map of a trial without a trajectory. */
export const NO_MAP: TrajectoryMap = { outline: [], outlineTotal: 0, landingKey: null, timeline: null };

/** The map of a trial's trajectory; empty without one. */
export async function readTrajectoryMap(place: TrialPlace, trial: WalkedTrial): Promise<TrajectoryMap> {
  const trajectory = await readPlaced(place);
  const at = chooseLanding(trial, trajectory);
  const landing = at === null ? null : trajectory.steps[at];
  return {
    outline: trajectory.outline,
    outlineTotal: trajectory.outlineTotal,
    landingKey: landing?.key ?? null,
    timeline: prepareTimeline(trial.phases, trajectory.steps),
  };
}

async function readPlaced({ path, stepNames, ledger }: TrialPlace): Promise<Trajectory> {
  return path === null || ledger !== null ? EMPTY : await readTrajectory(path, { stepNames });
}

const EMPTY: Trajectory = {
  steps: [],
  lanes: [],
  outline: [],
  outlineTotal: 0,
  landing: null,
  files: [],
  issues: [],
};

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
  const { promptTokens, completionTokens, costUsd } = step.usage;
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
    tokens:
      promptTokens === null && completionTokens === null
        ? null
        : (promptTokens ?? 0) + (completionTokens ?? 0),
    costUsd,
    durationMs: step.durationMs,
    marks: step.marks.slice(0, MAX_MARKS),
    nMoreMarks: Math.max(0, step.marks.length - MAX_MARKS),
    isCurrent: false,
    statedId: step.statedId,
    at: step.at?.text ?? null,
  });
}
