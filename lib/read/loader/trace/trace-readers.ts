import { isObject, objectOr } from "../detail/json-shape";
import { parseAtif } from "./atif";
import { CLAUDE_SESSION, CLAUDE_STREAM } from "./claude-code";
import { CODEX_EXEC, CODEX_ROLLOUT } from "./codex";
import { MESSAGES_EPISODES, TERMINUS_EPISODES } from "./episodes";
import { GEMINI, GEMINI_LINES } from "./gemini";
import { MINI_SWE } from "./mini-swe";
import { OPENCLAW } from "./openclaw";
import { OPENCODE } from "./opencode";
import { OPENHANDS } from "./openhands";
import { parseRecordList } from "./record-list";
import { CAST, PANE, PLAIN_LOG } from "./recording";
import { SPANS } from "./spans";
import { TAU3 } from "./tau3";
import type { TraceReader } from "./trace-reader";

const ATIF: TraceReader = {
  format: "ATIF",
  lacks: null,
  holds: "value",
  recognise: ({ keys, text }) =>
    (keys.has("steps") && /"steps"\s*:\s*(?:\[|$)/u.test(text)) ||
    (keys.has("schema_version") && text.includes('"ATIF')),
  parse: ({ value }) => (isObject(value) && Array.isArray(value["steps"]) ? parseAtif(value) : null),
};

const CHAT: TraceReader = {
  format: "chat transcript",
  lacks: null,
  holds: "value",
  recognise: ({ keys, isList, records }) => keys.has("messages") || (isList && records.some(isMessage)),
  parse: ({ value }) => {
    const list = Array.isArray(value) ? value : objectOr(value)["messages"];
    return Array.isArray(list) ? parseRecordList(list) : null;
  },
};

const CHAT_LINES: TraceReader = {
  format: "chat transcript",
  lacks: null,
  holds: "lines",
  recognise: ({ records, isList, nTexts }) => !isList && records.length > nTexts && records.some(isMessage),
  parse: ({ records }) => parseRecordList(records),
};

function isMessage(record: object): boolean {
  return (
    "role" in record ||
    "action" in record ||
    ("source" in record && ("content" in record || "message" in record))
  );
}

/** Richest format first. The first match reads the file. */
export const TRACE_READERS: readonly TraceReader[] = [
  ATIF,
  CLAUDE_SESSION,
  CODEX_ROLLOUT,
  OPENCLAW,
  GEMINI,
  GEMINI_LINES,
  OPENHANDS,
  TAU3,
  MINI_SWE,
  MESSAGES_EPISODES,
  OPENCODE,
  CLAUDE_STREAM,
  CODEX_EXEC,
  SPANS,
  CHAT,
  CHAT_LINES,
  TERMINUS_EPISODES,
  CAST,
  PANE,
  PLAIN_LOG,
];
