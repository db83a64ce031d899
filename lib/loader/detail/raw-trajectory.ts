import type { ClockTime } from "@/lib/domain/clock-time";
import type { StepCall, TrajectoryStep } from "@/lib/domain/trajectory";
import { parseClockTime } from "@/lib/schema/clock-time";

/** Reference from a result to another trajectory: embedded by id, or in a file relative to the referring one. */
export interface SubagentRef {
  readonly trajectoryId: string | null;
  readonly path: string | null;
  readonly label: string | null;
}

/** A content part with an image path still relative to its own file. */
export type RawPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mediaType: string | null; readonly path: string | null };

/** A result before references are resolved. */
export interface RawResult {
  readonly parts: readonly RawPart[];
  readonly refs: readonly SubagentRef[];
}

/** A call with the results that name it. */
export interface RawCall extends Omit<StepCall, "results"> {
  readonly results: readonly RawResult[];
}

/** A step as its own file states it. */
export interface RawStep extends Pick<
  TrajectoryStep,
  "statedId" | "source" | "at" | "reasoning" | "tokens" | "marks" | "copied"
> {
  readonly message: readonly RawPart[];
  readonly calls: readonly RawCall[];
  readonly results: readonly RawResult[];
  /** Name of the inline side chain the step belongs to; null for the file's own agent. */
  readonly sidechain: string | null;
}

/** One trajectory file or embedded trajectory. */
export interface RawTrajectory {
  /** Name of the agent as the file states it; null when not stated. */
  readonly agent: string | null;
  readonly trajectoryId: string | null;
  readonly continuedRef: string | null;
  readonly steps: readonly RawStep[];
  readonly embedded: readonly RawTrajectory[];
  /** Things that were skipped because their shape is not known, in words. */
  readonly oddities: readonly string[];
}

/** A step's timestamp: ISO text with or without zone, or seconds or milliseconds since 1970. Null for anything else. */
export function parseStepTime(value: unknown): ClockTime | null {
  if (typeof value === "string") return parseClockTime(value);
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return null;
  const epochMs = value < 1e11 ? value * 1000 : value;
  return { text: String(value), epochMs: Math.round(epochMs), zoned: true };
}
