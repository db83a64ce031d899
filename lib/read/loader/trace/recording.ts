import { isObject, parseJsonText, pickNumber } from "../detail/json-shape";
import { Conversation, SILENT } from "./conversation";
import { makeTrajectory, parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import type { TraceReader } from "./trace-reader";

const PAUSE_S = 2;
const STAMPED = /^\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)\]?(?=[\s|:-])/u;
const MAX_ENTRIES = 20_000;

export const CAST: TraceReader = {
  format: "terminal recording",
  lacks: "messages or tokens",
  holds: "lines",
  recognise: ({ records: [first] }) =>
    first !== undefined && "version" in first && "width" in first && "height" in first,
  parse: ({ records }) => parseCast(records),
};

export const PANE: TraceReader = {
  format: "terminal screen",
  lacks: "who spoke or what was called",
  holds: "text",
  recognise: ({ file, text }) => file.endsWith(".pane") && text.trim() !== "",
  parse: ({ text }) => makeTrajectory([{ ...SILENT, source: "other", message: [{ kind: "text", text }] }]),
};

export const PLAIN_LOG: TraceReader = {
  format: "plain text",
  lacks: "who spoke or what was called",
  holds: "text",
  recognise: ({ file, text, keys, records, isList, nTexts }) =>
    !/\.jsonl?$/u.test(file) &&
    // A text log may contain a few JSON lines.
    (keys.size + records.length === 0 || nTexts > records.length) &&
    !isList &&
    text.trim() !== "" &&
    !text.includes("\0"),
  parse: ({ text }) => parseLog(text),
};

function parseCast(records: readonly unknown[]): RawTrajectory {
  const conversation = new Conversation();
  const header = isObject(records[0]) ? records[0] : {};
  const start = pickNumber(header, "timestamp");
  let pieces: string[] = [];
  let begun = 0;
  let last = -Infinity;
  const flush = () => {
    const at = start === null ? null : parseStepTime(start + begun);
    if (pieces.length > 0) conversation.say({ source: "other", at, message: parseParts(pieces.join("")) });
    pieces = [];
  };
  for (const record of records) {
    if (!Array.isArray(record)) continue;
    const [seconds, kind, text] = record as readonly unknown[];
    if (typeof seconds !== "number" || kind !== "o" || typeof text !== "string") continue;
    if (seconds - last > PAUSE_S) {
      flush();
      begun = seconds;
    }
    last = seconds;
    pieces.push(text);
  }
  flush();
  return conversation.finish();
}

function parseLog(text: string): RawTrajectory {
  const conversation = new Conversation();
  let entry: string[] = [];
  let at: string | null = null;
  const flush = () => {
    const words = entry.join("\n").trimEnd();
    const stamp = parseStepTime(at?.replace(" ", "T").replace(",", "."));
    if (words !== "")
      conversation.say({ source: "other", at: stamp, message: [{ kind: "text", text: words }] });
    entry = [];
  };
  for (const line of text.split("\n")) {
    const stamp = conversation.nSteps < MAX_ENTRIES ? STAMPED.exec(line)?.[1] : undefined;
    if (stamp !== undefined) {
      flush();
      at = stamp;
    }
    entry.push(line);
  }
  flush();
  return conversation.finish();
}

export function parseLine(line: string): unknown {
  const first = line.trimStart()[0];
  return first === "{" || first === "[" ? parseJsonText(line) : undefined;
}
