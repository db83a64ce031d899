import { type ClockInterval, computeDurationMs } from "@/lib/domain/clock-time";
import type {
  ContentPart,
  OutlineEntry,
  StepCall,
  StepMark,
  StepResult,
  StepSource,
  Trajectory,
  TrajectoryStep,
} from "@/lib/domain/trajectory";
import { trimEndOf } from "@/lib/domain/trim-end";
import type { TrialRecord } from "@/lib/domain/trial";
import type { TextBlock } from "@/lib/domain/trial-file";
import { prepareTextBlock, readTrajectory } from "@/lib/loader/detail";

import type { TrialPlace } from "./place";
import { prepareTimeline, type Timeline } from "./timeline";

/** Rows of one window. */
export const WINDOW_STEPS = 100;
// Rows kept above the one that is opened, so that it has context.
const CONTEXT_STEPS = 3;

const ROW_LIMITS = { maxLines: 80, maxLineChars: 600, maxChars: 8_000 };
const OPEN_LIMITS = { maxLines: 2_000, maxLineChars: 2_000, maxChars: 200_000 };

// A longer command does not fit the head of its row at the usual width, so it is written out below as well.
const MAX_HEAD_CHARS = 64;

/** A piece of a step's body, in reading order. */
export type StepBlock =
  | { readonly kind: "prose"; readonly role: "message" | "reasoning"; readonly text: TextBlock }
  | { readonly kind: "command"; readonly name: string; readonly text: TextBlock }
  | { readonly kind: "edit"; readonly before: TextBlock; readonly after: TextBlock }
  | { readonly kind: "output"; readonly text: TextBlock; readonly exitCode: number | null }
  | {
      readonly kind: "image";
      readonly path: string | null;
      readonly mediaType: string | null;
      readonly note: string | null;
    }
  | {
      readonly kind: "lanes";
      readonly lanes: readonly { readonly name: string; readonly key: string | null }[];
    };

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
  return {
    steps: rows.map((step) => ({
      ...toView(step, trajectory, request.step === step.key ? OPEN_LIMITS : ROW_LIMITS),
      isCurrent: step.index === current,
      ...(step === last ? describeLast(step, trial.phases.agentExecution) : {}),
    })),
    total,
    offset,
    currentKey: current === null ? null : (trajectory.steps[current]?.key ?? null),
    isStepUnknown: request.step !== null && named === undefined && total > 0,
    folded: foldSteps(trajectory, offset),
    files: trajectory.files,
    nLanes: trajectory.lanes.length,
    markedKeys: trajectory.steps.filter((step) => step.marks.length > 0).map(({ key }) => key),
  };
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

function toView(step: TrajectoryStep, trajectory: Trajectory, limits: Limits): StepView {
  const call = step.calls[0];
  const { promptTokens, completionTokens, costUsd } = step.usage;
  return {
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
    marks: step.marks,
    blocks: listBlocks(step, trajectory, limits),
    isCurrent: false,
    statedId: step.statedId,
    at: step.at?.text ?? null,
  };
}

type Limits = typeof ROW_LIMITS;

function listBlocks(step: TrajectoryStep, trajectory: Trajectory, limits: Limits): readonly StepBlock[] {
  const blocks: StepBlock[] = [];
  if (step.reasoning !== null)
    blocks.push({ kind: "prose", role: "reasoning", text: prepareTextBlock(step.reasoning, limits) });
  blocks.push(...step.message.map((part) => toPartBlock(part, limits, "prose")));
  for (const [i, call] of step.calls.entries()) {
    const isShort =
      i === 0 && call.argumentsText.trim() === call.headline && call.headline.length <= MAX_HEAD_CHARS;
    const text = prepareTextBlock(call.argumentsText, limits);
    if (call.edit !== null) {
      const before = prepareTextBlock(call.edit.before, limits);
      blocks.push({ kind: "edit", before, after: prepareTextBlock(call.edit.after, limits) });
    } else if (!isShort && call.argumentsText !== "") {
      const isPathOnly = i === 0 && isSaidInHead(call);
      if (!isPathOnly) blocks.push({ kind: "command", name: i === 0 ? "" : call.name, text });
    } else if (i > 0)
      blocks.push({ kind: "command", name: call.name, text: prepareTextBlock(call.headline, limits) });
    for (const result of call.results) blocks.push(...toResultBlocks(result, trajectory, limits));
  }
  for (const result of step.results) blocks.push(...toResultBlocks(result, trajectory, limits));
  return blocks;
}

/** A call with one short argument says it all in the head of its row, such as a file that is read. */
function isSaidInHead({ argumentsText, headline }: StepCall): boolean {
  return (
    !argumentsText.includes("\n") &&
    headline.length <= MAX_HEAD_CHARS &&
    argumentsText.endsWith(`: ${headline}`)
  );
}

function toResultBlocks(result: StepResult, trajectory: Trajectory, limits: Limits): readonly StepBlock[] {
  const parts = result.parts.map((part): StepBlock => {
    const block = toPartBlock(part, limits, "output");
    return block.kind === "output" ? { ...block, exitCode: result.exitCode } : block;
  });
  if (result.lanes.length === 0) return parts;
  const lanes = result.lanes.map((name) => ({
    name,
    key: trajectory.steps.find(({ lane }) => lane === name)?.key ?? null,
  }));
  return [...parts, { kind: "lanes", lanes }];
}

function toPartBlock(part: ContentPart, limits: Limits, kind: "prose" | "output"): StepBlock {
  if (part.kind === "image") return part;
  const text = prepareTextBlock(trimEndOf(part.text, "\n"), limits);
  return kind === "prose" ? { kind, role: "message", text } : { kind, text, exitCode: null };
}
