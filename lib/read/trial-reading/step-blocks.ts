import { hash } from "node:crypto";

import { countPageBytes } from "@/lib/core/domain/page-bytes";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import {
  type ContentPart,
  type EmbeddedImage,
  listEmbeddedImages,
  type StepCall,
  type StepResult,
  type Trajectory,
  type TrajectoryStep,
} from "@/lib/core/domain/trajectory";
import type { TextBlock, TextLine } from "@/lib/core/domain/trial-file";
import { trimEndOf } from "@/lib/core/domain/trim-end";
import { countLineBytes, drawJsonText, prepareTextBlock } from "@/lib/read/loader/detail";

import { type Highlighter, findLanguage } from "./highlight";
import { describeLane, type LaneRow, type Lanes } from "./strip";

export const ROW_LIMITS = {
  maxBlocks: 30,
  maxLines: 80,
  maxLineChars: 600,
  maxBytes: 24_000,
  maxStyledLines: 36,
  maxNodes: 60,
  maxChildren: 14,
};
export const OPEN_LIMITS = {
  maxBlocks: 500,
  maxLines: 2_000,
  maxLineChars: 20_000,
  maxBytes: 480_000,
  maxStyledLines: 700,
  maxNodes: 1_000,
  maxChildren: 200,
};
const MAX_PROSE_CHARS = 4_000;
const BLOCK_BYTES = 200;
const MAX_LANES = 200;
const MAX_NAMES = 1_000;

// A longer command does not fit into the head of its row, so it also appears below.
const MAX_HEAD_CHARS = 64;

type Structured = ReturnType<typeof takeStructured>;

/** Without a path, `note` explains why it is not played. */
type AudioBlock = Extract<ContentPart, { readonly kind: "audio" }>;

export type StepBlock =
  | {
      readonly kind: "prose";
      readonly role: "message" | "reasoning";
      readonly text: TextBlock;
      readonly repeats: string | null;
    }
  | (Structured & { readonly kind: "command"; readonly name: string })
  | { readonly kind: "arguments"; readonly text: TextBlock }
  | { readonly kind: "edit"; readonly before: TextBlock; readonly after: TextBlock }
  | (Structured & { readonly kind: "output"; readonly repeats: string | null })
  | ReturnType<typeof toImageBlock>
  | AudioBlock
  | { readonly kind: "rest"; readonly n: number }
  | { readonly kind: "lanes"; readonly lanes: readonly LaneRow[]; readonly nMore: number };

export function shorten<T>(names: T): T {
  return new TextBounder(MAX_NAMES).bound(names);
}

/** Remaining page bytes for the rows of a window. `linkBytes` are those of a link within the trial. */
export interface Room {
  bytes: number;
  readonly linkBytes: number;
  readonly highlighter: Highlighter;
  readonly repeats: Repeats;
}

export type Limits = typeof ROW_LIMITS & { readonly room: Room };

/** A language, or prose whose code blocks name theirs; null for neither. */
type Written = string | typeof PROSE | null;
const PROSE = Symbol("prose");

function takeText(text: string, limits: Limits, written: Written): TextBlock {
  const { room, maxLineChars, maxStyledLines } = limits;
  const block = prepareTextBlock(text, {
    ...limits,
    maxLineChars: written === PROSE ? Math.max(maxLineChars, MAX_PROSE_CHARS) : maxLineChars,
    maxBytes: Math.min(limits.maxBytes, room.bytes),
  });
  room.bytes -= block.lines.reduce((sum, line) => sum + countLineBytes(line), 0);
  return {
    ...block,
    cutNote: block.cutNote ?? (block.hasCutLines ? "Long lines are cut." : null),
    lines:
      written === PROSE
        ? highlightFences(block.lines, room.highlighter, maxStyledLines)
        : room.highlighter.highlight(block.lines, written, maxStyledLines),
  };
}

function takeStructured(text: string, limits: Limits, written: Written, json = text) {
  const block = takeText(text, limits, written);
  const { room, maxNodes, maxChildren, maxBytes } = limits;
  const bytes = Math.min(maxBytes, room.bytes);
  const left = { nodes: maxNodes, bytes, maxChildren };
  const tree = drawJsonText(json, left);
  room.bytes -= bytes - left.bytes;
  return { text: block, tree };
}

export function listBlocks(step: TrajectoryStep, lanes: Lanes, limits: Limits): readonly StepBlock[] {
  const shown: StepBlock[] = [];
  let nMore = 0;
  const own = { ...limits, images: listEmbeddedImages(step) };
  for (const prepare of findBlocks(step, lanes)) {
    if (shown.length < limits.maxBlocks && limits.room.bytes > 0) {
      const block = prepare(own);
      limits.room.bytes -= BLOCK_BYTES + countNameBytes(block, limits.room);
      shown.push(block);
    } else nMore++;
  }
  return nMore > 0 ? [...shown, { kind: "rest", n: nMore }] : shown;
}

/** Counts the names of a block, which may be in addresses, and its links. */
function countNameBytes(block: StepBlock, { linkBytes }: Room): number {
  const nLinks = block.kind === "lanes" ? block.lanes.length : block.kind === "image" ? 6 : 2;
  const names = JSON.stringify(block, (key, value: unknown) => (TEXT_FIELDS.has(key) ? undefined : value));
  return nLinks * linkBytes + 3 * countPageBytes(names);
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(["text", "before", "after", "tree"]);

type BlockLimits = Limits & { readonly images: readonly EmbeddedImage[] };
type PrepareBlock = (limits: BlockLimits) => StepBlock;

function* findBlocks(step: TrajectoryStep, lanes: Lanes): Generator<PrepareBlock> {
  const { reasoning } = step;
  if (reasoning !== null)
    yield (limits) => ({
      kind: "prose",
      role: "reasoning",
      text: takeText(reasoning, limits, PROSE),
      repeats: null,
    });
  for (const part of step.message) yield (limits) => toMessageBlock(part, limits);
  for (const [i, call] of step.calls.entries()) {
    const prepare = prepareCall(call, i === 0);
    if (prepare !== null) yield prepare;
    const others = call.otherArguments;
    if (others !== "") yield (limits) => ({ kind: "arguments", text: takeText(others, limits, null) });
    for (const result of call.results) yield* findResultBlocks(result, call, lanes);
  }
  for (const result of step.results) yield* findResultBlocks(result, null, lanes);
}

function prepareCall(call: StepCall, isFirst: boolean): PrepareBlock | null {
  const { edit, argumentsText, argumentsJson, headline } = call;
  const language = findCallLanguage(call);
  if (edit !== null)
    return (limits) => ({
      kind: "edit",
      before: takeText(edit.before, limits, language),
      after: takeText(edit.after, limits, language),
    });
  const isShort = isFirst && argumentsText.trim() === headline && headline.length <= MAX_HEAD_CHARS;
  const isInHead = isShort || argumentsText === "" || isSaidInHead(call);
  if (isFirst && isInHead) return null;
  const name = isFirst ? "" : shorten(call.name);
  const text = argumentsText || headline;
  return (limits) => ({
    kind: "command",
    name,
    ...takeStructured(text, limits, language, argumentsJson ?? text),
  });
}

function isSaidInHead({ argumentsText, headline }: StepCall): boolean {
  return (
    !argumentsText.includes("\n") &&
    headline.length <= MAX_HEAD_CHARS &&
    argumentsText.endsWith(`: ${headline}`)
  );
}

function* findResultBlocks(result: StepResult, call: StepCall | null, lanes: Lanes): Generator<PrepareBlock> {
  for (const part of result.parts) {
    yield (limits) => toOutputBlock(part, call, limits);
  }
  if (result.lanes.length === 0) return;
  yield () => ({
    kind: "lanes",
    lanes: result.lanes.slice(0, MAX_LANES).map((name) => shorten(describeLane(name, lanes))),
    nMore: Math.max(0, result.lanes.length - MAX_LANES),
  });
}

function toImageBlock(
  { path, note, embedded }: Extract<ContentPart, { readonly kind: "image" }>,
  { images }: BlockLimits,
) {
  const shown = embedded && {
    /** Index among the images embedded in the step. */
    nth: images.indexOf(embedded),
    type: embedded.type,
    sizeBytes: embedded.sizeBytes,
  };
  return { kind: "image" as const, path: shorten(path), note: shorten(note), embedded: shown };
}

function toMessageBlock(part: ContentPart, limits: BlockLimits): StepBlock {
  if (part.kind === "audio") return shorten(part);
  if (part.kind === "image") return toImageBlock(part, limits);
  const text = takeText(trimEndOf(part.text, "\n"), limits, PROSE);
  return { kind: "prose", role: "message", text, repeats: limits.room.repeats.get(part) ?? null };
}

function toOutputBlock(part: ContentPart, call: StepCall | null, limits: BlockLimits): StepBlock {
  if (part.kind === "audio") return shorten(part);
  if (part.kind === "image") return toImageBlock(part, limits);
  const text = trimEndOf(part.text, "\n");
  const structured = takeStructured(text, limits, findOutputLanguage(call, text));
  return { kind: "output", ...structured, repeats: limits.room.repeats.get(part) ?? null };
}

const READS = /^(?:read|view|open|cat)/iu;
const RUNS_PYTHON = /python|jupyter|notebook/iu;
const PRINTS_FILE =
  /^(?:cat(?: -n)?|(?:head|tail)(?: -n)?(?: -?\d+)?|sed -n '?"?\d+,\d+p'?"?) ([^\s|;&<>$*]+)$/u;
const DIFF = /^(?:diff --git |\*\*\* Begin Patch$|@@ -\d+(?:,\d+)? \+\d+)/mu;
const FENCE = /^\s*(?:```|~~~)\s*([\w+#-]*)/u;
const MAX_HEAD = 4_000;

function findCallLanguage({ name, headline, argumentsText, edit }: StepCall): string | null {
  if (edit !== null) return findLanguage(headline);
  if (DIFF.test(argumentsText.slice(0, MAX_HEAD))) return "diff";
  // A command is its own text; arguments of other calls are named, each on a line of its own.
  if (headline === "" || !argumentsText.trimStart().startsWith(headline.slice(0, -1))) return null;
  if (/^\w+:(?: |$)/u.test(headline)) return null;
  return RUNS_PYTHON.test(name) ? "python" : "bash";
}

function findOutputLanguage(call: StepCall | null, output: string): string | null {
  if (DIFF.test(output.slice(0, MAX_HEAD))) return "diff";
  if (call === null || call.edit !== null) return null;
  const printed = PRINTS_FILE.exec(call.argumentsText.trim().slice(0, MAX_HEAD))?.[1];
  const file = printed ?? (READS.test(call.name) ? call.headline : null);
  return file === null ? null : findLanguage(file);
}

function highlightFences(
  lines: readonly TextLine[],
  highlighter: Highlighter,
  mostLines: number,
): readonly TextLine[] {
  const shown: TextLine[] = [];
  let tag: string | null = null;
  let code: TextLine[] = [];
  const close = () => {
    shown.push(...highlighter.highlight(code, tag === null ? null : findLanguage(tag), mostLines));
    code = [];
  };
  for (const line of lines) {
    const fence = typeof line === "string" ? FENCE.exec(line) : null;
    if (fence === null) {
      (tag === null ? shown : code).push(line);
      continue;
    }
    close();
    tag = tag === null ? (fence[1] ?? "") : null;
    shown.push(line);
  }
  close();
  return shown;
}

export type Repeats = ReadonlyMap<ContentPart, string>;

export const NO_REPEATS: Repeats = new Map();

/** Reading a shorter text is faster than following a link to it. */
const MIN_CHARS = 600;

export function findRepeats({ steps }: Pick<Trajectory, "steps">): Repeats {
  const first = new Map<string, { readonly text: string; readonly key: string }>();
  const repeats = new Map<ContentPart, string>();
  for (const step of steps)
    for (const part of listParts(step)) {
      if (part.kind !== "text" || part.text.length < MIN_CHARS) continue;
      // Long texts of one length would share their place in a map of texts.
      const name = hash("sha1", part.text);
      const known = first.get(name);
      if (known === undefined) first.set(name, { text: part.text, key: step.key });
      else if (known.key !== step.key && known.text === part.text) repeats.set(part, known.key);
    }
  return repeats;
}

export function listParts({ message, calls, results }: TrajectoryStep): readonly ContentPart[] {
  const answers = [...calls.flatMap((call) => call.results), ...results];
  return [...message, ...answers.flatMap(({ parts }) => parts)];
}
