import {
  isObject,
  type JsonObject,
  objectOr,
  parseJsonText,
  pickBoolean,
  pickText,
} from "../detail/json-shape";
import { Conversation } from "./conversation";
import {
  addCall,
  addMessage,
  addResults,
  objectsOf,
  readStop,
  readUsage,
  sortContent,
  sourceOf,
} from "./message";
import { parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import type { TraceLog, TraceReader } from "./trace-reader";

const SUBAGENT_FILE = /\/agent-[^/]+\.jsonl$/u;
const MAX_SUBAGENTS = 500;

/** Output of `claude --output-format stream-json`. */
export const CLAUDE_STREAM: TraceReader = {
  format: "Claude Code stream",
  lacks: "the prompt, or how many tokens a step wrote",
  holds: "lines",
  recognise: ({ records }) =>
    records.some(({ type, subtype }) => type === "system" && subtype === "init") ||
    records.some((record) => record["type"] === "assistant" && "parent_tool_use_id" in record) ||
    records.some((record) => record["subtype"] === "init" && "data" in record),
  parse: ({ records, seen }) => parseRecords(records, seen, true),
};

export const CLAUDE_SESSION: TraceReader = {
  format: "Claude Code session",
  lacks: null,
  holds: "lines",
  isSession: true,
  recognise: ({ records, keys }) =>
    records.some((record) => "sessionId" in record && "parentUuid" in record) ||
    // The first line alone may exceed the bytes read.
    (keys.has("sessionId") && keys.has("parentUuid")),
  parse: readSession,
};

async function readSession(log: TraceLog): Promise<RawTrajectory> {
  const main = parseRecords(log.records, log.seen);
  if (SUBAGENT_FILE.test(log.file)) return main;
  const stem = log.file.replace(/\.jsonl$/u, "");
  const folder = stem.slice(0, stem.lastIndexOf("/") + 1);
  const sessionId = stem.slice(folder.length);
  const embedded: RawTrajectory[] = [];
  for (const file of log.files.filter((one) => SUBAGENT_FILE.test(one)).slice(0, MAX_SUBAGENTS)) {
    const isBelow = file.startsWith(`${stem}/subagents/`);
    if (!isBelow && file.slice(0, file.lastIndexOf("/") + 1) !== folder) continue;
    const lines = ((await log.read(file)) ?? "").split("\n").map((line) => parseJsonText(line));
    const records = objectsOf(lines);
    if (!isBelow && records[0]?.["sessionId"] !== sessionId) continue;
    const agentId = pickText(objectOr(records[0]), "agentId");
    const own = records.map((record) => ({ ...record, isSidechain: false }));
    embedded.push({ ...parseRecords(own, new Set()), trajectoryId: agentId, agent: agentId });
  }
  return { ...main, embedded };
}

/** @param seen - known record ids; new ones are added @param isStream - printed messages do not yet count their output */
function parseRecords(lines: readonly unknown[], seen: Set<string>, isStream = false): RawTrajectory {
  const conversation = new Conversation(lines);
  let messageId: string | null = null;
  for (const record of conversation.records) {
    const uuid = pickText(record, "uuid");
    if (uuid !== null && seen.has(uuid)) continue;
    if (uuid !== null) seen.add(uuid);
    messageId = addRecord(conversation, isStream ? withoutOutput(record) : record, messageId);
  }
  return conversation.finish();
}

function withoutOutput(record: JsonObject): JsonObject {
  const message = objectOr(record["message"]);
  if (!isObject(message["usage"])) return record;
  return { ...record, message: { ...message, usage: { ...message["usage"], output_tokens: null } } };
}

function addRecord(conversation: Conversation, record: JsonObject, messageId: string | null): string | null {
  const message = objectOr(record["message"] ?? record);
  const role = pickText(message, "role") ?? (Array.isArray(message["content"]) ? "assistant" : null);
  if (role === "assistant") {
    const id = pickText(message, "id");
    // A message spans several lines, each with the total usage.
    if (id !== null && id === messageId) continueMessage(conversation, message);
    else sayRecord(conversation, record, message);
    conversation.stop(readStop(message));
    return id;
  }
  if (role === "user") {
    if (answerCalls(conversation, record, message)) return messageId;
    sayRecord(conversation, record, message);
  } else if (isFailure(record)) {
    addFailure(conversation, record);
    conversation.stop(record["subtype"]);
  }
  return null;
}

function sayRecord(conversation: Conversation, record: JsonObject, message: JsonObject): void {
  addMessage(conversation, message["content"], {
    source: sourceOf(pickText(message, "role") ?? "assistant"),
    at: parseStepTime(record["timestamp"]),
    usage: readUsage(message["usage"]),
    sidechain: nameSideChain(record),
  });
}

function continueMessage(conversation: Conversation, message: JsonObject): void {
  const { parts, thinking, calls, results } = sortContent(message["content"]);
  // Later lines count more output tokens.
  const usage = readUsage(message["usage"]);
  conversation.add({ message: parts.flatMap((part) => parseParts([part])), reasoning: thinking, usage });
  addResults(conversation, results);
  for (const call of calls) addCall(conversation, call);
}

function answerCalls(conversation: Conversation, record: JsonObject, message: JsonObject): boolean {
  const { parts, results } = sortContent(message["content"]);
  if (results.length === 0 || parts.length > 0) return false;
  const agentId = pickText(objectOr(record["toolUseResult"]), "agentId");
  for (const result of results)
    conversation.answer({
      callId: pickText(result, "tool_use_id"),
      parts: parseParts(result["content"]),
      toolError: pickBoolean(result, "is_error") === true,
      refs: agentId === null ? [] : [{ trajectoryId: agentId, path: null, label: null }],
    });
  return true;
}

function nameSideChain(record: JsonObject): string | null {
  if (pickBoolean(record, "isSidechain") === true) return pickText(record, "agentId") ?? "side chain";
  return pickText(record, "parent_tool_use_id") === null ? null : "subagent";
}

function isFailure(record: JsonObject): boolean {
  return record["type"] === "result" && record["subtype"] !== "success";
}

function addFailure(conversation: Conversation, record: JsonObject): void {
  const words = [pickText(record, "subtype"), pickText(record, "result", "error")].filter(Boolean).join(": ");
  conversation.say({ source: "system", message: parseParts(words) });
}
