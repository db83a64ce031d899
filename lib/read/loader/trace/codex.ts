import { makeUsage } from "@/lib/core/domain/trajectory";

import { isObject, type JsonObject, objectOr, pickNumber, pickText, writeValue } from "../detail/json-shape";
import { Conversation } from "./conversation";
import { objectsOf, sourceOf } from "./message";
import { parseParts, parseStepTime, type RawPart, type RawStep, type RawTrajectory } from "./raw-trajectory";
import type { TraceReader } from "./trace-reader";

/** Output of `codex exec --json`. */
export const CODEX_EXEC: TraceReader = {
  format: "Codex exec log",
  lacks: "times, the prompt or tokens per step",
  holds: "lines",
  recognise: ({ records }) =>
    records.some(
      ({ type, item }) => type === "thread.started" || (/^item\./u.test(String(type)) && isObject(item)),
    ),
  parse: ({ records }) => parseItems(records),
};

export const CODEX_ROLLOUT: TraceReader = {
  format: "Codex rollout",
  lacks: null,
  holds: "lines",
  isSession: true,
  recognise: ({ records }) =>
    records.some(
      ({ type, payload }) =>
        /^(?:session_meta|response_item|turn_context)$/u.test(String(type)) && isObject(payload),
    ),
  parse: ({ records }) => parseRollout(records),
};

function parseItems(lines: readonly unknown[]): RawTrajectory {
  const conversation = new Conversation(lines);
  const completed = new Set(
    conversation.records
      .filter(({ type }) => type === "item.completed")
      .map(({ item }) => pickText(objectOr(item), "id")),
  );
  for (const record of conversation.records) {
    const type = record["type"];
    const item = objectOr(record["item"]);
    const id = pickText(item, "id");
    // Started but never completed: the agent was killed.
    const isOpen = (type === "item.started" || type === "item.updated") && !completed.has(id);
    if (isOpen) completed.add(id);
    if (type === "item.completed" || isOpen) addItem(conversation, item, isOpen);
    else if (type === "error" || type === "turn.failed") {
      const message = pickText(record, "message") ?? writeValue(record["error"] ?? null);
      conversation.say({ source: "system", message: parseParts(message) });
      conversation.stop(findFullContext(message));
    }
  }
  return conversation.finish();
}

/** Codex states no reason; only its message says that the context is full. */
function findFullContext(message: string | null): string | null {
  return /ran out of room in the model.s context window|context_length_exceeded/u.test(message ?? "")
    ? "context_length_exceeded"
    : null;
}

function addItem(conversation: Conversation, item: JsonObject, isOpen: boolean): void {
  const type = pickText(item, "type") ?? "item";
  const id = pickText(item, "id");
  const text = pickText(item, "text", "message");
  if (type === "agent_message" || type === "error") {
    conversation.say({ source: type === "error" ? "system" : "agent", message: parseParts(text) });
    return;
  }
  if (type === "reasoning") {
    conversation.say({ source: "agent", reasoning: text ?? "(no readable text)" });
    return;
  }
  conversation.say({ source: "agent" });
  const { id: _, type: _type, status, aggregated_output: output, exit_code: exitCode, ...stated } = item;
  const { result, error, server, tool, ...rest } = stated;
  conversation.call(id, typeof tool === "string" ? [server, tool].filter(Boolean).join(".") : type, rest);
  if (isOpen) return;
  conversation.answer({
    callId: id,
    parts: parseParts(output ?? result ?? error ?? ""),
    exitCode: Number.isFinite(exitCode) ? Number(exitCode) : null,
    toolError: status === "failed",
  });
}

function parseRollout(lines: readonly unknown[]): RawTrajectory {
  const conversation = new Conversation(lines);
  const counted = { total: "" };
  for (const record of conversation.records) {
    const payload = objectOr(record["payload"]);
    if (record["type"] === "response_item") addResponse(conversation, payload, record);
    else if (record["type"] === "event_msg") addEvent(conversation, record, counted);
  }
  return conversation.finish();
}

function addResponse(conversation: Conversation, payload: JsonObject, record: JsonObject): void {
  const at = parseStepTime(record["timestamp"]);
  const callId = pickText(payload, "call_id");
  switch (payload["type"]) {
    case "message": {
      const source = sourceOf(pickText(payload, "role"));
      conversation.say({ source, at, message: parseParts(payload["content"]) });
      break;
    }
    case "reasoning":
      addReasoning(conversation, payload, at);
      break;
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
    case "web_search_call": {
      conversation.say({ source: "agent", at });
      const name = pickText(payload, "name") ?? payload["type"].replace(/_call$/u, "");
      conversation.call(callId, name, payload["arguments"] ?? payload["input"] ?? payload["action"]);
      break;
    }
    case "function_call_output":
    case "custom_tool_call_output":
      conversation.answer({ callId, parts: parseOutput(payload["output"]) });
      break;
    default:
  }
}

/** Omits encrypted reasoning, which would add an empty step per call. */
function addReasoning(conversation: Conversation, payload: JsonObject, at: RawStep["at"]): void {
  const texts = [...objectsOf(payload["summary"]), ...objectsOf(payload["content"])];
  const reasoning = texts.map((part) => pickText(part, "text") ?? "").join("\n\n");
  if (reasoning.trim() !== "") conversation.say({ source: "agent", at, reasoning });
}

function parseOutput(output: unknown): readonly RawPart[] {
  return parseParts(isObject(output) ? (output["content"] ?? output) : output);
}

/** Most events repeat responses; handles only the others. */
function addEvent(conversation: Conversation, record: JsonObject, counted: { total: string }): void {
  const payload = objectOr(record["payload"]);
  const type = payload["type"];
  if (type === "token_count") {
    const info = objectOr(payload["info"]);
    const usage = objectOr(info["last_token_usage"]);
    // The same count is reported repeatedly; a new one belongs to the agent's last action.
    const total = JSON.stringify(info["total_token_usage"] ?? info);
    if (total === counted.total || conversation.lastSource !== "agent") return;
    counted.total = total;
    const [inputTokens, outputTokens] = [
      pickNumber(usage, "input_tokens"),
      pickNumber(usage, "output_tokens"),
    ];
    conversation.add({ usage: makeUsage({ inputTokens, outputTokens, costUsd: null }) });
  } else if (type === "patch_apply_end") {
    const changes = Object.entries(objectOr(payload["changes"])).map(([path, change]) =>
      describeChange(path, change),
    );
    const text = [pickText(payload, "stderr"), ...changes].filter(Boolean).join("\n");
    const isFailed = payload["success"] === false;
    conversation.answer({ callId: null, parts: parseParts(text), toolError: isFailed });
  } else if (type === "turn_aborted" || type === "error" || type === "stream_error") {
    const words = [type, pickText(payload, "reason", "message")].filter(Boolean).join(": ");
    conversation.say({
      source: "system",
      at: parseStepTime(record["timestamp"]),
      message: parseParts(words),
    });
    const stated = payload["codex_error_info"];
    conversation.stop(type === "turn_aborted" ? type : (stated ?? findFullContext(words)));
  }
}

function describeChange(path: string, change: unknown): string {
  const stated = objectOr(change);
  const diff = pickText(stated, "unified_diff", "content") ?? "";
  return `${pickText(stated, "type") ?? "change"} ${path}\n${diff}`;
}
