import {
  isObject,
  type JsonObject,
  listOr,
  objectOr,
  pickBoolean,
  pickNumber,
  pickText,
} from "../detail/json-shape";
import { Conversation } from "./conversation";
import { addCall, addResults, readStop, readUsage, sortContent } from "./message";
import { parseParts, parseStepTime, type RawPart, type RawStep, type RawTrajectory } from "./raw-trajectory";

/**
 * Parses records with `role` (or `source`, `type`) and `content` or `message`, such as chat transcripts of OpenAI and Anthropic.
 * Environment records with `stdout`, `stderr` and `exit_code` join the step of their call.
 */
export function parseRecordList(records: readonly unknown[]): RawTrajectory {
  const conversation = new Conversation(records);
  for (const record of conversation.records) {
    const { results } = sortContent(record["content"]);
    if (record["role"] === "meta") continue;
    if (isResultRecord(record)) answer(conversation, record);
    else if (results.length > 0 && results.length === listOr(record["content"]).length)
      addResults(conversation, results);
    else sayRecord(conversation, record);
  }
  return conversation.finish();
}

function isResultRecord(record: JsonObject): boolean {
  const role = pickText(record, "role", "source", "type");
  return role === "environment" || role === "tool" || role === "tool_result" || role === "function";
}

function sayRecord(conversation: Conversation, record: JsonObject): void {
  const role = pickText(record, "role", "source", "type");
  const { parts, thinking, calls, results } = sortContent(record["content"] ?? record["message"]);
  addResults(conversation, results);
  const toolCalls = listOr(record["tool_calls"]).filter(isObject);
  const spoken = toolCalls.map(readSpokenText).filter((text) => text !== null);
  const message = parts.flatMap((part) => parseParts(typeof part === "string" ? part : [part]));
  conversation.say({
    source: tellSource(role),
    statedId: idOf(record["step"] ?? record["id"]),
    at: parseStepTime(record["timestamp"]),
    reasoning: pickText(record, "reasoning", "reasoning_content", "thinking") ?? thinking,
    message: [...message, ...spoken.map((text): RawPart => ({ kind: "text", text }))],
    usage: readUsage(record["usage"]),
  });
  conversation.stop(readStop(record));
  const own = [...calls, ...toolCalls.filter((call) => readSpokenText(call) === null)];
  for (const call of own) addCall(conversation, call);
  if (isObject(record["function_call"])) addCall(conversation, record["function_call"]);
  const action = pickText(record, "action");
  if (own.length === 0 && action !== null && action !== "message")
    conversation.call(idOf(record["id"]), action, record["args"]);
}

function tellSource(role: string | null): RawStep["source"] {
  if (role === null) return "other";
  if (role === "developer") return "system";
  return role === "user" || role === "system" ? role : "agent";
}

function readSpokenText(call: JsonObject): string | null {
  return /(?:^|:)agent_message$/u.test(pickText(call, "name") ?? "")
    ? pickText(objectOr(call["input"]), "text")
    : null;
}

function answer(conversation: Conversation, record: JsonObject): void {
  conversation.answer({
    callId: pickText(record, "tool_use_id", "tool_call_id") ?? idOf(record["cause"]),
    parts: resultParts(record),
    exitCode: pickNumber(record, "exit_code", "returncode"),
    toolError: pickBoolean(record, "is_error") === true,
  });
}

function resultParts(record: JsonObject): readonly RawPart[] {
  const stdout = pickText(record, "stdout");
  const stderr = pickText(record, "stderr");
  if (stdout === null && stderr === null) return parseParts(record["content"] ?? record["message"]);
  return [stdout, stderr].filter((text) => text !== null).map((text) => ({ kind: "text", text }));
}

function idOf(value: unknown): string | null {
  return typeof value === "number" || typeof value === "string" ? String(value) : null;
}
