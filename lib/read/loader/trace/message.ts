import { makeUsage, type StepUsage } from "@/lib/core/domain/trajectory";

import {
  isObject,
  type JsonObject,
  listOr,
  objectOr,
  pickBoolean,
  pickNumber,
  pickText,
} from "../detail/json-shape";
import type { Conversation, Spoken } from "./conversation";
import { parseParts } from "./raw-trajectory";

const CALL_TYPES: ReadonlySet<unknown> = new Set(["tool_use", "toolCall", "tool_call"]);

export function sortContent(content: unknown) {
  if (!Array.isArray(content)) {
    const parts = content === null || content === undefined || content === "" ? [] : [content];
    const none: readonly JsonObject[] = [];
    return { parts, thinking: null, calls: none, results: none };
  }
  const parts = Map.groupBy(content as readonly unknown[], tellPart);
  const thoughts = (parts.get("thinking") ?? []).map((part) => pickText(objectOr(part), "thinking"));
  return {
    parts: parts.get("said") ?? [],
    thinking: thoughts.map((text) => text ?? "(encrypted)").join("\n\n") || null,
    calls: objectsOf(parts.get("call")),
    results: objectsOf(parts.get("result")),
  };
}

function tellPart(part: unknown): "call" | "result" | "thinking" | "said" {
  const type = objectOr(part)["type"];
  if (CALL_TYPES.has(type)) return "call";
  if (type === "tool_result") return "result";
  return type === "thinking" || type === "redacted_thinking" ? "thinking" : "said";
}

export function readStop(record: JsonObject): string | null {
  return pickText(record, "stop_reason", "stopReason", "finish_reason", "finishReason", "termination_reason");
}

/** An empty message creates no step. */
export function addMessage(
  conversation: Conversation,
  content: unknown,
  spoken: Spoken,
  toolCalls: readonly unknown[] = [],
): void {
  const { parts, thinking, calls, results } = sortContent(content);
  addResults(conversation, results);
  const reasoning = [spoken.reasoning, thinking].filter(Boolean).join("\n\n") || null;
  if (parts.length + calls.length + toolCalls.length === 0 && reasoning === null) return;
  const message = parts.flatMap((part) => parseParts(typeof part === "string" ? part : [part]));
  conversation.say({ ...spoken, message, reasoning });
  for (const call of [...calls, ...toolCalls.filter(isObject)]) addCall(conversation, call);
}

export function addCall(conversation: Conversation, call: JsonObject): void {
  const inner = isObject(call["function"]) ? call["function"] : call;
  const id = pickText(call, "id", "call_id", "tool_call_id");
  const name = pickText(inner, "name", "function_name") ?? "call";
  conversation.call(id, name, inner["input"] ?? inner["arguments"]);
}

export function addResults(conversation: Conversation, results: readonly JsonObject[]): void {
  for (const result of results)
    conversation.answer({
      callId: pickText(result, "tool_use_id", "tool_call_id"),
      parts: parseParts(result["content"]),
      toolError: pickBoolean(result, "is_error") === true,
    });
}

/** Returns prompt and completion tokens. Cache reads count as prompt tokens. @param costUsd - if stated outside the usage */
export function readUsage(usage: unknown, costUsd: number | null = null): StepUsage | null {
  const stated = objectOr(usage);
  // Chat Completions include cached tokens in the prompt; the others list them separately.
  const whole = pickNumber(stated, "prompt_tokens");
  const fresh = pickNumber(stated, "input_tokens", "input");
  const cached = ["cache_read_input_tokens", "cache_creation_input_tokens", "cacheRead", "cacheWrite"].map(
    (name) => pickNumber(stated, name) ?? 0,
  );
  return makeUsage({
    inputTokens: whole ?? (fresh === null ? null : cached.reduce((sum, tokens) => sum + tokens, fresh)),
    outputTokens: pickNumber(stated, "output_tokens", "completion_tokens", "output"),
    costUsd: costUsd ?? pickNumber(objectOr(stated["cost"]), "total"),
  });
}

export function sourceOf(role: string | null): Spoken["source"] {
  if (role === "assistant" || role === "agent") return "agent";
  if (role === "developer") return "system";
  return role === "user" || role === "system" ? role : "other";
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOr(value).filter(isObject);
}
