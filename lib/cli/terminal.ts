import { readFileSync } from "node:fs";
import { join } from "node:path";

import { formatCount } from "@/lib/core/format/number";
import { findProjectRoot } from "@/lib/read/processes/project-root";

export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly write: (text: string) => boolean;
  readonly once: (event: "drain", listener: () => void) => unknown;
}

export interface Terminal {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const CHUNK_LENGTH = 64 * 1024;

/**
 * Writes `parts` in chunks and waits for slow readers, so that a long list never piles up in memory. On a terminal, unsafe
 * characters become `\uNNNN`; a file or another program gets every character.
 */
export async function writeAll(
  stream: OutputStream,
  parts: Iterable<string> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const prepare = (text: string) => (stream.isTTY === true ? text.replace(UNSAFE_IN_LINES, escape) : text);
  let chunk = "";
  for await (const part of parts) {
    // Bytes are written to files only.
    if (typeof part === "string") chunk += part;
    if (chunk.length < CHUNK_LENGTH) continue;
    if (!stream.write(prepare(chunk))) await new Promise<void>((settle) => stream.once("drain", settle));
    chunk = "";
  }
  if (chunk !== "") stream.write(prepare(chunk));
}

export async function writeJson(stream: OutputStream, value: unknown): Promise<void> {
  await writeAll(stream, [`${JSON.stringify(value, null, 2)}\n`]);
}

// Control characters and marks that change the direction of text: names in job folders are not trusted.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const UNSAFE_IN_LINES =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\r(?!\n)/g;

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

export function warn({ stderr }: Pick<Terminal, "stderr">, message: string): void {
  stderr.write(`assay: ${makePrintable(message)}\n`);
}

/** Makes text safe for one terminal line: control characters become `\xNN` or `\uNNNN`. */
export function makePrintable(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : escape(character);
  });
}

const WIDTH = 24;
const REDRAW_MS = 80;

interface Pace {
  readonly rate: number | null;
  readonly secondsLeft: number | null;
}

/** Counts trials or other items, at most twelve times a second and only on a terminal. */
export function makeProgressBar(
  stream: OutputStream,
  readClock: () => number = () => performance.now(),
  noun = "trials",
) {
  const startedAt = readClock();
  let drawnAt = startedAt;
  let isDrawn = false;
  return {
    show: (done: number, total: number, pace?: Pace): void => {
      const now = readClock();
      // Shows nothing for work that ends at once.
      if (stream.isTTY !== true || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      isDrawn = true;
      const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
      const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
      stream.write(`\r\u001b[K[${bar}] ${done} of ${total} ${noun}${describePace(pace)}`);
    },
    clear: (): void => {
      if (isDrawn) stream.write("\r\u001b[K");
      isDrawn = false;
    },
  };
}

function describePace({ rate, secondsLeft }: Pace = { rate: null, secondsLeft: null }): string {
  return rate === null || secondsLeft === null
    ? ""
    : `, ${formatCount(Math.round(rate))} a second, ${formatCount(secondsLeft)} s left`;
}

export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(join(findProjectRoot(), "package.json"), "utf8")) as {
    version?: unknown;
  };
  return typeof manifest.version === "string" ? manifest.version : "unknown";
}

/** Renames the fields of a document as its readers expect them: `nTrials` to `n_trials`. */
export function toSnakeCase(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
