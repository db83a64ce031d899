import { createRequire } from "node:module";

import type * as Xterm from "@xterm/headless";
import type { IBufferCell, Terminal } from "@xterm/headless";

import type { FilePreview, Recording, RecordingFrame } from "@/lib/core/domain/file-preview";
import { countPageBytes } from "@/lib/core/domain/page-bytes";
import type { TextLine, TextSpan, TextTone } from "@/lib/core/domain/trial-file";

import { isObject, type JsonObject, objectOr, parseJsonText, pickNumber } from "../json-shape";
import { parseLooseJson } from "../parse-loose-json";
import { countLineBytes, stripTerminal } from "../terminal-text";
import { type FileBytes, readBytes } from "./file-bytes";

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
export async function previewRecording(file: FileBytes): Promise<FilePreview | string> {
  const text = (await readBytes(file, 0, Math.min(file.sizeBytes, MAX_FILE_BYTES))).toString("utf8");
  const cast = parseCast(text);
  if (typeof cast === "string") return cast;
  const shown = cast.events.filter(({ kind }) => kind !== "m");
  const stepSeconds = chooseStep(shown);
  const { frames, endSeconds } = await play(
    cast,
    Map.groupBy(shown, ({ atSeconds }) => Math.floor(atSeconds / stepSeconds)).values(),
  );
  const durationSeconds = cast.events.at(-1)?.atSeconds ?? 0;
  const notes = [
    file.sizeBytes > MAX_FILE_BYTES ? "Only the first 16 MB of the recording are read." : "",
    stepSeconds > FRAME_SECONDS ? `Shown in steps of ${formatSeconds(stepSeconds)} s.` : "",
    endSeconds < durationSeconds
      ? `Shown up to ${formatSeconds(endSeconds)} s; the rest is too long for a page.`
      : "",
    cast.nUnread === 1 ? "1 line is not an event and was left out." : "",
    cast.nUnread > 1 ? `${cast.nUnread.toLocaleString("en")} lines are not events and were left out.` : "",
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
        label: stripTerminal(event.text === "" ? "marker" : event.text)
          .slice(0, MAX_LABEL)
          .toWellFormed(),
      })),
    durationSeconds: Math.min(endSeconds, durationSeconds),
    note: notes.length === 0 ? null : notes.join(" "),
  };
  return { kind: "recording", recording };
}

function formatSeconds(seconds: number): string {
  return seconds.toLocaleString("en", { maximumFractionDigits: 1 });
}

function chooseStep(events: readonly CastEvent[]): number {
  let step = FRAME_SECONDS;
  while (new Set(events.map(({ atSeconds }) => Math.floor(atSeconds / step))).size > MAX_FRAMES) step *= 2;
  return step;
}

async function play(
  { nColumns, nRows }: Cast,
  groups: Iterable<readonly CastEvent[]>,
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

interface CastEvent {
  readonly atSeconds: number;
  readonly kind: "o" | "m" | "r";
  readonly text: string;
}

interface Size {
  readonly nColumns: number;
  readonly nRows: number;
}

interface Cast extends Size {
  readonly events: readonly CastEvent[];
  readonly nUnread: number;
}

const MAX_EVENTS = 200_000;
const MAX_LINE_CHARS = 1_000_000;
const MAX_COLUMNS = 300;
const MAX_ROWS = 100;
/** Longer than any recording; keeps numbers displayable. */
const MAX_SECONDS = 10 * 24 * 3600;

/**
 * Parses an asciinema recording of version 1, 2 or 3, or returns what is wrong with it. Ignores a cut-off last line.
 * @see https://docs.asciinema.org/manual/asciicast/v3/
 */
export function parseCast(text: string): Cast | string {
  const end = text.indexOf("\n");
  const first = parseLine(end < 0 ? text : text.slice(0, end));
  // Version 1 is a single document, which may span any number of lines.
  const whole = isObject(first) ? null : parseLooseJson(text, "");
  const header = whole === null ? first : whole.ok ? whole.value : null;
  if (!isObject(header)) return "This is not an asciinema recording: line 1 is not a JSON object.";
  const version = header["version"];
  if (version === 1) return readEvents(header, listDelays(header["stdout"]), true);
  if (version !== 2 && version !== 3)
    return `This is not an asciinema recording of version 1, 2 or 3: line 1 says ${cutValue(version)}.`;
  return readEvents(header, listLines(text, end < 0 ? text.length : end + 1), version === 3);
}

function parseLine(line: string): unknown {
  return line.length > MAX_LINE_CHARS ? undefined : parseJsonText(line);
}

function cutValue(version: unknown): string {
  return version === undefined ? "none" : `version ${JSON.stringify(version).slice(0, 20)}`;
}

function* listLines(text: string, from: number): Generator {
  for (let at = from; at < text.length;) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, end).trim();
    at = end + 1;
    if (line === "" || line.startsWith("#")) continue;
    const value = parseLine(line);
    if (value !== undefined || found >= 0) yield value;
  }
}

function* listDelays(stdout: unknown): Generator {
  if (Array.isArray(stdout))
    for (const one of stdout) yield Array.isArray(one) ? [one[0] as unknown, "o", one[1] as unknown] : null;
}

function readEvents(header: JsonObject, lines: Iterable<unknown>, areDelays: boolean): Cast {
  const events: CastEvent[] = [];
  let nUnread = 0;
  let seconds = 0;
  for (const line of lines) {
    if (events.length >= MAX_EVENTS) break;
    const [time, kind, text] = Array.isArray(line) ? (line as readonly unknown[]) : [];
    if (typeof time !== "number" || typeof kind !== "string") {
      nUnread++;
      continue;
    }
    const next = areDelays ? seconds + Math.max(0, time) : Math.max(seconds, time);
    seconds = Math.min(MAX_SECONDS, next);
    if ((kind === "o" || kind === "m" || kind === "r") && typeof text === "string")
      events.push({ atSeconds: seconds, kind, text });
  }
  return { ...readSize(header), events, nUnread };
}

function readSize(header: JsonObject): Size {
  const term = objectOr(header["term"]);
  return boundSize(
    pickNumber(header, "width") ?? pickNumber(term, "cols") ?? 80,
    pickNumber(header, "height") ?? pickNumber(term, "rows") ?? 24,
  );
}

function boundSize(nColumns: number, nRows: number): Size {
  const bound = (size: number, most: number) => Math.max(1, Math.min(most, Math.floor(size)));
  return { nColumns: bound(nColumns, MAX_COLUMNS), nRows: bound(nRows, MAX_ROWS) };
}

function parseSize(text: string): Size | null {
  const found = /^(\d{1,5})x(\d{1,5})$/.exec(text);
  return found === null ? null : boundSize(Number(found[1]), Number(found[2]));
}
