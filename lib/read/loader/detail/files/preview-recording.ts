import { createRequire } from "node:module";

import type * as Xterm from "@xterm/headless";
import type { IBufferCell, Terminal } from "@xterm/headless";

import type { Recording, RecordingFrame } from "@/lib/core/domain/file-preview";
import { countPageBytes } from "@/lib/core/domain/page-bytes";
import type { TextLine, TextSpan, TextTone } from "@/lib/core/domain/trial-file";

import { countLineBytes, stripTerminal } from "../terminal-text";
import { type Cast, type CastEvent, nameMarker, parseCast, parseSize } from "./cast-events";
import { type FileBytes, readBytes } from "./file-bytes";
import { type Previewed, refusePreview } from "./preview";

const MAX_FILE_BYTES = 16 << 20;
const MAX_FRAMES = 500;
/** Limit for all frames of a page. `ROW_BYTES` is the overhead of a row. */
const MAX_BYTES = 700_000;
const ROW_BYTES = 40;
const MAX_MARKERS = 100;
const MAX_LABEL = 100;
const FRAME_SECONDS = 0.1;
const MAX_MS = 4_000;
const PIECE_CHARS = 8 * 1024;
/** Escapes that repeat more often, such as scrolling, are skipped: the terminal would execute every repeat. */
const MAX_REPEATS = 300;
const REPEATED = ["@", "b", "I", "L", "M", "P", "S", "T", "X", "Z"].map((final) => ({ final }));
const REPEATED_COLUMNS = [
  { intermediates: " ", final: "@" },
  { intermediates: " ", final: "A" },
  { intermediates: "'", final: "}" },
  { intermediates: "'", final: "~" },
];
const TONES: readonly (TextTone | null)[] = [null, "red", "green", "yellow", "blue", "magenta", "cyan", null];

/** Renders a recording with a headless terminal. The result is only text. */
export async function previewRecording(file: FileBytes): Promise<Previewed> {
  const text = (await readBytes(file, 0, Math.min(file.sizeBytes, MAX_FILE_BYTES))).toString("utf8");
  const cast = parseCast(text);
  if (typeof cast === "string") return refusePreview(cast);
  const shown = cast.events.filter(({ kind }) => kind !== "m");
  const stepSeconds = chooseStep(shown);
  const { frames, endSeconds } = await play(cast, groupEvents(shown, stepSeconds));
  const durationSeconds = cast.events.at(-1)?.atSeconds ?? 0;
  const notes = [
    file.sizeBytes > MAX_FILE_BYTES ? "Only the first 16 MB of the recording are read." : "",
    stepSeconds > FRAME_SECONDS ? `Shown in steps of ${formatSeconds(stepSeconds)} s.` : "",
    endSeconds < durationSeconds
      ? `Shown up to ${formatSeconds(endSeconds)} s; the rest is too much for a page.`
      : "",
    cast.nUnread === 1 ? "1 line is no event and was left out." : "",
    cast.nUnread > 1 ? `${cast.nUnread.toLocaleString("en")} lines are no events and were left out.` : "",
  ].filter((note) => note !== "");
  const recording: Recording = {
    nColumns: cast.nColumns,
    nRows: cast.nRows,
    frames,
    markers: cast.events
      .filter(({ kind, atSeconds }) => kind === "m" && atSeconds <= endSeconds)
      .slice(0, MAX_MARKERS)
      .map((event) => ({
        atSeconds: event.atSeconds,
        label: stripTerminal(nameMarker(event)).slice(0, MAX_LABEL).toWellFormed(),
      })),
    durationSeconds: Math.min(endSeconds, durationSeconds),
    note: notes.length === 0 ? null : notes.join(" "),
  };
  return { ok: true, preview: { kind: "recording", recording } };
}

function formatSeconds(seconds: number): string {
  return seconds.toLocaleString("en", { maximumFractionDigits: 1 });
}

function chooseStep(events: readonly CastEvent[]): number {
  let step = FRAME_SECONDS;
  while (new Set(events.map(({ atSeconds }) => Math.floor(atSeconds / step))).size > MAX_FRAMES) step *= 2;
  return step;
}

function groupEvents(events: readonly CastEvent[], stepSeconds: number): readonly (readonly CastEvent[])[] {
  return [...Map.groupBy(events, ({ atSeconds }) => Math.floor(atSeconds / stepSeconds)).values()];
}

async function play(
  { nColumns, nRows }: Cast,
  groups: readonly (readonly CastEvent[])[],
): Promise<{ readonly frames: readonly RecordingFrame[]; readonly endSeconds: number }> {
  const terminal = openTerminal(nColumns, nRows);
  const frames: RecordingFrame[] = [{ atSeconds: 0, rows: [] }];
  const start = performance.now();
  let bytesLeft = MAX_BYTES;
  let endSeconds = Infinity;
  let last: readonly string[] = [];
  for (const group of groups) {
    const atSeconds = group[0]?.atSeconds ?? 0;
    const isDone = await applyAll(terminal, group, start + MAX_MS);
    const screen = readScreen(terminal);
    const written = screen.map((line) => JSON.stringify(line));
    const rows = Array.from({ length: Math.max(screen.length, last.length) }, (_, row) => row)
      .filter((row) => (written[row] ?? EMPTY) !== (last[row] ?? EMPTY))
      .map((row) => [row, screen[row] ?? ""] as const);
    bytesLeft -= rows.reduce((sum, [, line]) => sum + ROW_BYTES + countLine(line), ROW_BYTES);
    if (bytesLeft < 0 || !isDone) {
      endSeconds = frames.at(-1)?.atSeconds ?? 0;
      break;
    }
    if (rows.length > 0) frames.push({ atSeconds, rows });
    last = written;
  }
  terminal.dispose();
  return { frames, endSeconds };
}

const EMPTY = JSON.stringify("");

function countLine(line: TextLine): number {
  return typeof line === "string" ? countPageBytes(line) : countLineBytes(line);
}

function openTerminal(cols: number, rows: number): Terminal {
  // A large CommonJS module, loaded only when a recording is read.
  const load = createRequire(import.meta.url);
  const xterm = load("@xterm/headless") as typeof Xterm;
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 0, allowProposedApi: true, logLevel: "off" });
  for (const id of [...REPEATED, ...REPEATED_COLUMNS])
    terminal.parser.registerCsiHandler(id, ([n]) => typeof n === "number" && n > MAX_REPEATS);
  return terminal;
}

async function applyAll(terminal: Terminal, events: readonly CastEvent[], endMs: number): Promise<boolean> {
  let text = "";
  for (const event of events) {
    const size = event.kind === "r" ? parseSize(event.text) : null;
    if (size === null || (size.nColumns === terminal.cols && size.nRows === terminal.rows)) {
      text += event.kind === "o" ? event.text : "";
      continue;
    }
    if (!(await write(terminal, text, endMs))) return false;
    text = "";
    terminal.resize(size.nColumns, size.nRows);
  }
  return await write(terminal, text, endMs);
}

async function write(terminal: Terminal, text: string, endMs: number): Promise<boolean> {
  for (let at = 0; at < text.length; at += PIECE_CHARS) {
    if (performance.now() > endMs) return false;
    await new Promise<void>((settle) => terminal.write(text.slice(at, at + PIECE_CHARS), settle));
  }
  return performance.now() <= endMs;
}

function readScreen(terminal: Terminal): readonly TextLine[] {
  const { active } = terminal.buffer;
  const lines: TextLine[] = [];
  const cell = active.getNullCell();
  for (let row = 0; row < terminal.rows; row++) {
    const line = active.getLine(active.baseY + row);
    const length = line?.translateToString(true).length ?? 0;
    const spans: TextSpan[] = [];
    for (let column = 0, taken = 0; line !== undefined && taken < length && column < line.length; column++) {
      const read = line.getCell(column, cell);
      if (read === undefined || read.getWidth() === 0) continue;
      const chars = read.getChars() === "" ? " " : read.getChars();
      taken += chars.length;
      addCell(spans, chars, read);
    }
    lines.push(spans.every(({ tone, strong }) => tone === null && !strong) ? join(spans) : spans.map(clean));
  }
  return lines;
}

function addCell(spans: TextSpan[], chars: string, cell: IBufferCell): void {
  const tone = readTone(cell);
  const strong = cell.isBold() !== 0;
  const before = spans.at(-1);
  if (before !== undefined && before.tone === tone && before.strong === strong)
    spans[spans.length - 1] = { ...before, text: before.text + chars };
  else spans.push({ text: chars, tone, strong });
}

function readTone(cell: IBufferCell): TextTone | null {
  if (cell.isDim() !== 0) return "dim";
  const color = cell.getFgColor();
  if (!cell.isFgPalette() || color > 15) return null;
  return color === 8 ? "dim" : (TONES[color % 8] ?? null);
}

function clean(span: TextSpan): TextSpan {
  return { ...span, text: stripTerminal(span.text).toWellFormed() };
}

function join(spans: readonly TextSpan[]): string {
  return spans.map((span) => clean(span).text).join("");
}
