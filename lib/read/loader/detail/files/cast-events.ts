import { isObject, type JsonObject, objectOr, parseJsonText, pickNumber, pickText } from "../json-shape";
import { parseLooseJson } from "../parse-loose-json";

export interface CastEvent {
  readonly atSeconds: number;
  readonly kind: "o" | "m" | "r";
  readonly text: string;
}

export interface Cast {
  readonly nColumns: number;
  readonly nRows: number;
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
  if (!isObject(header)) return "This is not an asciinema recording: line 1 is no JSON object.";
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
  return { ...boundSize(readSize(header)), events, nUnread };
}

function readSize(header: JsonObject): Pick<Cast, "nColumns" | "nRows"> {
  const term = objectOr(header["term"]);
  return {
    nColumns: pickNumber(header, "width") ?? pickNumber(term, "cols") ?? 80,
    nRows: pickNumber(header, "height") ?? pickNumber(term, "rows") ?? 24,
  };
}

function boundSize({ nColumns, nRows }: Pick<Cast, "nColumns" | "nRows">): Pick<Cast, "nColumns" | "nRows"> {
  const bound = (size: number, most: number) => Math.max(1, Math.min(most, Math.floor(size)));
  return { nColumns: bound(nColumns, MAX_COLUMNS), nRows: bound(nRows, MAX_ROWS) };
}

export function parseSize(text: string): Pick<Cast, "nColumns" | "nRows"> | null {
  const found = /^(\d{1,5})x(\d{1,5})$/.exec(text);
  return found === null ? null : boundSize({ nColumns: Number(found[1]), nRows: Number(found[2]) });
}

export function nameMarker({ text }: CastEvent): string {
  return pickText({ text }, "text") ?? "marker";
}
