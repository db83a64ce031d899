import type { ClockTime } from "@/lib/core/domain/clock-time";
import type { RecordedStop } from "@/lib/core/domain/stop-reason";
import type { ContentPart, StepCall, TrajectoryStep } from "@/lib/core/domain/trajectory";
import { parseClockTime } from "@/lib/read/schema/clock-time";

import { objectOr, writeIndented } from "../detail/json-shape";
import { parseAudio, type RawAudio, parseImage, type RawImage } from "./media";

export interface SubagentRef {
  readonly trajectoryId: string | null;
  readonly path: string | null;
  readonly label: string | null;
}

export type RawPart = { readonly kind: "text"; readonly text: string } | RawImage | RawAudio;

export interface RawResult {
  readonly parts: readonly RawPart[];
  readonly refs: readonly SubagentRef[];
}

export interface RawCall extends Omit<StepCall, "results"> {
  readonly results: readonly RawResult[];
}

export const UNTIL_NEXT = "until next";

export interface RawStep extends Pick<
  TrajectoryStep,
  "statedId" | "source" | "at" | "reasoning" | "usage" | "marks" | "copied"
> {
  readonly message: readonly RawPart[];
  readonly calls: readonly RawCall[];
  readonly results: readonly RawResult[];
  readonly sidechain: string | null;
  readonly level: number;
  readonly durationMs: number | null | typeof UNTIL_NEXT;
}

export interface RawTrajectory {
  readonly agent: string | null;
  readonly trajectoryId: string | null;
  readonly continuedRef: string | null;
  readonly steps: readonly RawStep[];
  readonly embedded: readonly RawTrajectory[];
  /** Null if the run ended as planned, or its end is unknown. */
  readonly stop: RecordedStop | null;
  readonly oddities: readonly string[];
}

/** Parses ISO text with or without zone, or seconds or milliseconds since 1970. */
export function parseStepTime(value: unknown): ClockTime | null {
  if (typeof value === "string") return parseClockTime(value);
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return null;
  const epochMs = value < 1e11 ? value * 1000 : value;
  return { text: String(value), epochMs: Math.round(epochMs), zoned: true };
}

export function makeTrajectory(steps: readonly RawStep[], rest: Partial<RawTrajectory> = {}): RawTrajectory {
  const none = { agent: null, trajectoryId: null, continuedRef: null, stop: null };
  return { ...none, embedded: [], oddities: [], steps, ...rest };
}

const IMAGE_TYPES: ReadonlySet<unknown> = new Set(["image", "image_url", "input_image"]);
const AUDIO_TYPES: ReadonlySet<unknown> = new Set(["audio", "input_audio"]);

export function parseParts(value: unknown): readonly RawPart[] {
  if (value === null || value === undefined || value === "") return [];
  if (typeof value === "string")
    return (readPythonTexts(value) ?? [value]).map((text) => ({ kind: "text", text }));
  if (!Array.isArray(value)) return [{ kind: "text", text: writeIndented(value) }];
  return value.map((part: unknown): RawPart => {
    if (typeof part === "string") return { kind: "text", text: part };
    const object = objectOr(part);
    if (IMAGE_TYPES.has(object["type"])) return parseImage(object);
    if (AUDIO_TYPES.has(object["type"])) return parseAudio(object);
    const { text } = object;
    return { kind: "text", text: typeof text === "string" ? text : JSON.stringify(part) };
  });
}

export function joinText(parts: readonly (RawPart | ContentPart)[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
}

const LIST_OF_TEXTS = /^\[\{'type': '(?:input_text|output_text|text)', 'text': (?=['"])/u;
const NEXT_TEXT = /\}, \{'type': '(?:input_text|output_text|text)', 'text': (?=['"])/uy;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\n": "" };
const CODE_POINT = /x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}/uy;

export function readPythonTexts(literal: string): readonly string[] | null {
  const start = LIST_OF_TEXTS.exec(literal);
  if (start === null) return null;
  const texts: string[] = [];
  for (let at = start[0].length; ;) {
    const read = readString(literal, at);
    if (read === null) return null;
    texts.push(read.text);
    if (literal.startsWith("}]", read.end)) return literal.length === read.end + 2 ? texts : null;
    NEXT_TEXT.lastIndex = read.end;
    const next = NEXT_TEXT.exec(literal);
    if (next === null) return null;
    at = read.end + next[0].length;
  }
}

function readString(literal: string, start: number): { readonly text: string; readonly end: number } | null {
  const quote = literal[start];
  const pieces: string[] = [];
  let copied = start + 1;
  for (let at = copied; at < literal.length; at++) {
    if (literal[at] === quote) {
      pieces.push(literal.slice(copied, at));
      return { text: pieces.join(""), end: at + 1 };
    }
    if (literal[at] !== "\\") continue;
    pieces.push(literal.slice(copied, at));
    const { text, length } = readEscape(literal, at + 1);
    pieces.push(text);
    copied = at + 1 + length;
    at = copied - 1;
  }
  return null;
}

function readEscape(literal: string, at: number): { readonly text: string; readonly length: number } {
  CODE_POINT.lastIndex = at;
  const code = CODE_POINT.exec(literal)?.[0];
  const point = code === undefined ? NaN : Number.parseInt(code.slice(1), 16);
  if (code !== undefined && point <= 0x10ffff)
    return { text: String.fromCodePoint(point), length: code.length };
  const char = literal[at] ?? "";
  return { text: ESCAPES[char] ?? char, length: 1 };
}
