import { computeDurationMs, type ClockInterval } from "@/lib/domain/clock-time";
import type { TrialPhases } from "@/lib/domain/trial";
import type { TrajectoryStep } from "@/lib/domain/trajectory";

/** A part of the timeline; `start` and `width` are shares of the whole, 0 to 1. */
export interface TimelineSegment {
  readonly kind: "phase" | "step";
  readonly stepKey: string | null;
  readonly start: number;
  readonly width: number;
  readonly marked: boolean;
}

/** A trial's time from the first phase to the end of the last. */
export interface Timeline {
  readonly segments: readonly TimelineSegment[];
  /** Milliseconds before, during and after the agent ran; null where a phase is not recorded. */
  readonly setupMs: number | null;
  readonly agentMs: number | null;
  readonly verifierMs: number | null;
}

// Narrower parts are not visible at any width the page has; steps with an error are kept whatever their length.
const MIN_SHARE = 0.0008;
// A page with more parts would be drawn for seconds.
const MAX_SEGMENTS = 2_000;

/** The timeline of a trial from its phases and its main agent's steps of the same clock; null without a phase that has both ends. */
export function prepareTimeline(phases: TrialPhases, steps: readonly TrajectoryStep[]): Timeline | null {
  const spans = [phases.environmentSetup, phases.agentSetup, phases.agentExecution, phases.verifier].map(
    toSpan,
  );
  const known = spans.filter((span) => span !== null);
  const from = Math.min(...known.map((span) => span.from));
  const to = Math.max(...known.map((span) => span.to));
  if (known.length === 0 || to <= from) return null;
  const place = (span: Span) => ({
    start: (span.from - from) / (to - from),
    width: (span.to - span.from) / (to - from),
  });
  const agent = spans[2] ?? null;
  const placed = agent === null ? [] : placeSteps(agent, steps);
  const phaseSpans = placed.length > 0 ? [spans[0], spans[1], spans[3]] : spans;
  const segments = [
    ...phaseSpans
      .filter((span) => span !== null && span !== undefined)
      .map((span) => ({ kind: "phase" as const, stepKey: null, marked: false, ...place(span) })),
    ...placed.map(({ step, span }) => ({
      kind: "step" as const,
      stepKey: step.key,
      marked: step.marks.length > 0,
      ...place(span),
    })),
  ];
  return {
    segments: segments
      .filter((segment) => segment.marked || segment.width >= MIN_SHARE)
      .slice(0, MAX_SEGMENTS),
    setupMs: addKnown(computeDurationMs(phases.environmentSetup), computeDurationMs(phases.agentSetup)),
    agentMs: computeDurationMs(phases.agentExecution),
    verifierMs: computeDurationMs(phases.verifier),
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly zoned: boolean;
}

function toSpan(interval: ClockInterval | null): Span | null {
  const durationMs = computeDurationMs(interval);
  if (durationMs === null || !interval?.startedAt) return null;
  const { epochMs: from, zoned } = interval.startedAt;
  return { from, to: from + durationMs, zoned };
}

function placeSteps(
  agent: Span,
  steps: readonly TrajectoryStep[],
): readonly { step: TrajectoryStep; span: Span }[] {
  const timed = steps.filter((step) => step.depth === 0 && !step.copied && step.at?.zoned === agent.zoned);
  return timed.flatMap((step, i) => {
    const from = Math.max(agent.from, step.at?.epochMs ?? agent.from);
    const to = Math.min(agent.to, timed[i + 1]?.at?.epochMs ?? agent.to);
    return to < from ? [] : [{ step, span: { from, to, zoned: agent.zoned } }];
  });
}

function addKnown(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}
