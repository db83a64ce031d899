import { type ClockInterval, computeDurationMs } from "@/lib/core/domain/clock-time";
import { countAddressBytes, countPageBytes } from "@/lib/core/domain/page-bytes";
import { TextBounder, cutText } from "@/lib/core/domain/text-bounder";
import type { Trajectory, TrajectoryStep } from "@/lib/core/domain/trajectory";
import { type Trial, sumTokens } from "@/lib/core/domain/trial";
import { WINDOW_STEPS } from "@/lib/core/domain/trial-lists";
import { describeStep, readTrajectory } from "@/lib/read/loader/detail";

import { chooseLanding, chooseSteps, countFacets, findPlace, type StepsRequest } from "./choose-steps";
import { makeHighlighted } from "./highlight";
import { countPlaceBytes, type TrialPlace } from "./place";
import {
  findRepeats,
  listBlocks,
  OPEN_LIMITS,
  type Room,
  ROW_LIMITS,
  shorten,
  type StepBlock,
} from "./step-blocks";
import { type Lanes, prepareStrip, sumSteps } from "./strip";

// For all rows of a window together. Far more than real windows have.
const WINDOW_BYTES = 1_000_000;
const HEAD_BYTES = 800;
const MAX_SOURCES = 30;
const MAX_ORIGIN_BYTES = 60_000;
const MAX_MARKED = 1_000;
const MAX_FACETS = 200;
const MAX_MARKS = 12;

export type TrialSteps = ReturnType<typeof prepareSteps>;
export type FoldedSteps = NonNullable<ReturnType<typeof foldSteps>>;
export type StepView = ReturnType<typeof prepareHead> & { readonly blocks: readonly StepBlock[] };

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

export function prepareSteps(
  trajectory: Trajectory,
  trial: Pick<Trial, "outcome" | "phases">,
  path: string,
  window: StepsRequest | null,
  decisive: string | null = null,
) {
  const { steps } = trajectory;
  const { listed, fitting, lanes, found, indexes, opened, isUnknown } = chooseSteps(steps, window);
  const landing = chooseLanding(trial, trajectory, decisive);
  const at = findPlace(listed, opened ?? (fitting.length < steps.length ? null : landing));
  const total = listed.length;
  const first = window?.from ?? chooseOffset(at);
  const offset = Math.min(Math.max(0, first), Math.max(0, total - 1));
  const rows = window === null ? [] : listed.slice(offset, offset + WINDOW_STEPS);
  const last = steps.findLast((step) => step.depth === 0);
  const current = listed[at ?? -1] ?? null;
  const currentKey = current?.key ?? null;
  const request = { lanes, path, bytes: WINDOW_BYTES, repeats: findRepeats(trajectory), asked: opened?.key };
  const views = makeHighlighted((highlighter) => prepareRows(rows, { ...request, highlighter }));
  return {
    steps: views.map((view): StepView => ({
      ...view,
      isCurrent: view.key === currentKey,
      ...(view.key === last?.key ? describeLast(last, trial.phases.agentExecution) : {}),
    })),
    total,
    nAll: steps.length,
    // Includes matching steps of closed subagents.
    nFitting: fitting.length,
    started: [...lanes.startedIn],
    sums: sumSteps(fitting),
    instruction: findInstruction(steps),
    offset,
    currentKey,
    landing: landing && {
      key: landing.key,
      isCited: landing.key === decisive,
      isError: landing.marks.length > 0,
    },
    isStepUnknown: isUnknown,
    folded: foldSteps(trajectory, listed, offset),
    markedKeys: fitting
      .filter((step) => step.marks.length > 0)
      .slice(0, MAX_MARKED)
      .map(({ key }) => key),
    outline: trajectory.outline,
    openPart: openPart(trajectory, current),
    strip: prepareStrip(steps, { found: indexes, current, rows }),
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

/** A fold of a few rows costs more than it saves. */
function chooseOffset(at: number | null): number {
  return at === null || at < 6 ? 0 : at;
}

type RowsRequest = Omit<Room, "linkBytes"> & {
  readonly lanes: Lanes;
  readonly path: string;
  readonly asked?: string | undefined;
};

/** Fills rows until the page bytes are used; the requested step (`asked`) comes first. All rows of a page share `highlighter`. */
export function prepareRows(
  steps: readonly TrajectoryStep[],
  { lanes, path, bytes, asked, ...shared }: RowsRequest,
): readonly StepView[] {
  const linkBytes = countPlaceBytes(path) + countAddressBytes(steps[0]?.file ?? "");
  const rows = steps.map((step) => ({ step, head: prepareHead(step) }));
  // Every row keeps its head, so heads are subtracted first.
  const headBytes = rows.reduce(
    (sum, { head }) =>
      sum + HEAD_BYTES + 2 * (linkBytes + countPageBytes(JSON.stringify(Object.values(head)))),
    0,
  );
  const opened = steps.find(({ key }) => key === asked);
  const room: Room = { ...shared, bytes: bytes - headBytes, linkBytes };
  const openedBlocks = opened && listBlocks(opened, lanes, { ...OPEN_LIMITS, room });
  return rows.map(({ step, head }) => ({
    ...head,
    blocks: (step === opened && openedBlocks) || listBlocks(step, lanes, { ...ROW_LIMITS, room }),
  }));
}

function foldSteps({ outline }: Trajectory, listed: readonly TrajectoryStep[], offset: number) {
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

/** The last step ends when the agent ends. Without a call, it is the agent's answer. */
function describeLast(step: TrajectoryStep, agent: ClockInterval | null): Partial<StepView> {
  const durationMs = computeDurationMs({ startedAt: step.at, finishedAt: agent?.finishedAt ?? null });
  const isAnswer = step.source === "agent" && step.calls.length === 0 && step.message.length > 0;
  return isAnswer ? { durationMs, headline: "final message" } : { durationMs };
}

function prepareHead(step: TrajectoryStep) {
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

function listJumps(steps: readonly TrajectoryStep[]) {
  const found: readonly (readonly [string, TrajectoryStep | undefined])[] = [
    ["First error", steps.find(({ marks }) => marks.length > 0)],
    ["First failing test", steps.find(({ marks }) => marks.some(({ kind }) => kind === "tests-failed"))],
    ["Slowest step", findMost(steps, ({ durationMs }) => durationMs)],
    ["Most tokens", findMost(steps, ({ usage }) => (usage === null ? null : sumTokens(usage)))],
    ["Highest cost", findMost(steps, ({ usage }) => usage?.costUsd ?? null)],
    ["Last step", steps.at(-1)],
  ];
  return found.flatMap(([label, step]) => (step === undefined ? [] : [{ label, key: step.key }]));
}

/** Returns the first step with the largest amount above 0. */
function findMost(
  steps: readonly TrajectoryStep[],
  amountOf: (step: TrajectoryStep) => number | null,
): TrajectoryStep | undefined {
  return steps.reduce<TrajectoryStep | undefined>(
    (most, step) => ((amountOf(step) ?? 0) > ((most && amountOf(most)) ?? 0) ? step : most),
    undefined,
  );
}

const MAX_STEPS = 40;

function openPart({ outline, steps }: Trajectory, current: TrajectoryStep | null) {
  if (current === null) return null;
  const at = outline.findLastIndex(({ index }) => index <= current.index);
  const entry = outline[at];
  if (entry === undefined) return null;
  const part = steps.slice(entry.index + 1, outline[at + 1]?.index ?? steps.length);
  const wanted = current.index - entry.index - 1 - MAX_STEPS / 2;
  const from = Math.max(0, Math.min(wanted, part.length - MAX_STEPS));
  const named = part
    .slice(from, from + MAX_STEPS)
    .map((step) => ({ key: step.key, title: describeStep(step), marked: step.marks.length > 0 }));
  return new TextBounder(MAX_STEPS).bound({
    key: entry.key,
    steps: named,
    nBefore: from,
    nAfter: part.length - from - named.length,
  });
}

const MAX_CHARS = 6_000;

export type Instruction = NonNullable<ReturnType<typeof findInstruction>>;

/** Elements that Codex adds in the user's name for its environment and its own settings. */
const SURROUNDINGS = ["environment_context", "user_instructions"] as const;

/** Returns the first user message with more than the environment, else the first; null if it was copied from an earlier context. */
function findInstruction(steps: readonly TrajectoryStep[]) {
  const first = steps.find(isAsked);
  if (first === undefined || first.copied) return null;
  const step = steps.find((one) => isAsked(one) && !saysWhereItRuns(readWords(one))) ?? first;
  const text = readWords(step);
  if (text === "") return null;
  return { key: step.key, text: cutText(text, MAX_CHARS), isCut: text.length > MAX_CHARS };
}

function isAsked({ source, depth }: TrajectoryStep): boolean {
  return source === "user" && depth === 0;
}

function readWords({ message }: TrajectoryStep): string {
  return message
    .flatMap((part) => (part.kind === "text" ? [part.text] : []))
    .join("\n")
    .trim();
}

function saysWhereItRuns(text: string): boolean {
  return SURROUNDINGS.some((name) => text.startsWith(`<${name}>`) && text.endsWith(`</${name}>`));
}

export async function readInstruction({ path, stepNames, ledger }: TrialPlace): Promise<Instruction | null> {
  if (path === null || ledger !== null) return null;
  return findInstruction((await readTrajectory(path, stepNames, null)).steps);
}
