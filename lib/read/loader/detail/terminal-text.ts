import { countPageBytes } from "@/lib/core/domain/page-bytes";
import { cutText } from "@/lib/core/domain/text-bounder";
import type { TextBlock, TextLine, TextSpan, TextTone } from "@/lib/core/domain/trial-file";

/** Characters are UTF-16 units; bytes as in {@link countLineBytes}. */
interface TextLimits {
  readonly maxLines: number;
  readonly maxLineChars: number;
  readonly maxBytes: number;
}

const LINE_BYTES = 100;
const SET_APART_BYTES = 200;
const SPAN_BYTES = 150;
const PLAIN_SPAN_BYTES = 75;
const SIGN_BYTES = 65;
const SET_APART = /^\s*(?:[-+*#>|~`]|\d)/u;

// CSI; OSC, DCS, SOS, PM and APC up to their terminator, the next escape or the end of the line; other two-character
// escapes; 8-bit CSI and OSC.
const ESCAPE =
  /\u001B\[([0-9:;<=>?]*)[ -/]*([@-~])|\u009B([0-9:;<=>?]*)[ -/]*([@-~])|(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)?|\u001B[ -/]*[0-~]?/gu;
// Characters that could hide, reorder or fake text: C0 and C1 controls except tab, and bidi overrides and isolates.
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/gu;

const TONES: readonly (TextTone | null)[] = [null, "red", "green", "yellow", "blue", "magenta", "cyan", null];

interface Look {
  tone: TextTone | null;
  strong: boolean;
}

/**
 * Renders text as a terminal would leave it, as plain text with named tones, never HTML. Keeps colours and bold, drops other
 * escapes and shows control characters as escapes (NUL as `\x00`).
 */
export function prepareTextBlock(source: string, limits: TextLimits): TextBlock {
  const text = source.toWellFormed();
  const look: Look = { tone: null, strong: false };
  const lines: TextLine[] = [];
  let room = limits.maxBytes;
  let at = 0;
  let hasCutLines = false;
  while (at < text.length && lines.length < limits.maxLines && room > 0) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end < 0 ? text.length : end);
    const { line: prepared, isCut } = prepareLine(line, look, limits.maxLineChars);
    lines.push(prepared);
    hasCutLines ||= isCut;
    // Charge only the kept part, so that one enormous line leaves space for later ones.
    room -= countLineBytes(prepared);
    at = end < 0 ? text.length : end + 1;
  }
  const totalLines = at < text.length ? lines.length + countLines(text, at) : lines.length;
  const cutNote =
    lines.length < totalLines
      ? `${lines.length.toLocaleString("en")} of ${totalLines.toLocaleString("en")} lines are shown.`
      : null;
  return { lines, totalLines, cutNote, hasCutLines };
}

/** Returns an upper bound of the bytes a line takes in a page, including failure marks and Markdown. */
export function countLineBytes(line: TextLine): number {
  if (typeof line === "string") {
    const nSigns = line.split(/`|\*\*/u).length - 1;
    return (SET_APART.test(line) ? SET_APART_BYTES : LINE_BYTES) + countPageBytes(line) + SIGN_BYTES * nSigns;
  }
  return line.reduce(
    (sum, { text, tone, strong }) =>
      sum + (tone === null && !strong ? PLAIN_SPAN_BYTES : SPAN_BYTES) + countPageBytes(text),
    LINE_BYTES,
  );
}

function countLines(text: string, from: number): number {
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n", from); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function prepareLine(raw: string, look: Look, maxChars: number) {
  const bounded = raw.length > maxChars * 4 ? cutText(raw, maxChars * 4) : raw;
  const spans = splitSpans(takeLastRewrite(bounded), look);
  const cut = cutSpans(spans, maxChars);
  const isCut = raw.length - bounded.length > 0 || cut.hidden;
  const text = ` … line cut after ${maxChars.toLocaleString("en")} characters`;
  const kept: readonly TextSpan[] = isCut ? [...cut.spans, { text, tone: "dim", strong: false }] : cut.spans;
  const isPlain = kept.every((entry) => entry.tone === null && !entry.strong);
  return { line: isPlain ? kept.map((entry) => entry.text).join("") : kept, isCut };
}

/** As in terminals, only the text after the last carriage return is visible. */
function takeLastRewrite(line: string): string {
  const ended = line.endsWith("\r") ? line.slice(0, -1) : line;
  const at = ended.lastIndexOf("\r");
  return at < 0 ? ended : ended.slice(at + 1);
}

function splitSpans(line: string, look: Look): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  let from = 0;
  for (const match of line.matchAll(ESCAPE)) {
    pushSpan(spans, line.slice(from, match.index), look);
    from = match.index + match[0].length;
    const final = match[2] ?? match[4];
    if (final === "m") applyLook(match[1] ?? match[3] ?? "", look);
  }
  pushSpan(spans, line.slice(from), look);
  return spans;
}

function pushSpan(spans: TextSpan[], text: string, look: Look): void {
  if (text === "") return;
  spans.push({ text: text.replace(CONTROL, showControl), tone: look.tone, strong: look.strong });
}

/** Writes escapes, since many fonts lack control pictures. */
function showControl(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return hex.length <= 2 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
}

function applyLook(parameters: string, look: Look): void {
  const codes = parameters === "" ? [0] : parameters.split(/[;:]/u).map(Number);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    // Skip operands of 256-colour and true-colour codes, which must not be read as codes.
    if (code === 38 || code === 48) i += codes[i + 1] === 5 ? 2 : 4;
    else applyCode(code, look);
  }
}

function applyCode(code: number, look: Look): void {
  if (code === 0) Object.assign(look, { tone: null, strong: false });
  else if (code === 1) look.strong = true;
  else if (code === 2) look.tone = "dim";
  else if (code === 22) look.strong = false;
  else if (code === 39) look.tone = null;
  else if (code >= 30 && code <= 37) look.tone = TONES[code - 30] ?? null;
  else if (code === 90) look.tone = "dim";
  else if (code >= 91 && code <= 97) look.tone = TONES[code - 90] ?? null;
}

function cutSpans(
  spans: readonly TextSpan[],
  maxChars: number,
): { spans: readonly TextSpan[]; hidden: boolean } {
  const kept: TextSpan[] = [];
  let room = maxChars;
  for (const entry of spans) {
    if (room <= 0) return { spans: kept, hidden: true };
    kept.push(entry.text.length <= room ? entry : { ...entry, text: cutText(entry.text, room) });
    if (entry.text.length > room) return { spans: kept, hidden: true };
    room -= entry.text.length;
  }
  return { spans: kept, hidden: false };
}

/** Strips escapes for one-line labels. Shows control characters; keeps line breaks. */
export function stripTerminal(text: string): string {
  return text.replace(ESCAPE, "").replace(CONTROL, (char) => (char === "\r" ? "" : showControl(char)));
}
