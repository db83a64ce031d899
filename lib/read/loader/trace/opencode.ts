import { makeUsage, type StepUsage } from "@/lib/core/domain/trajectory";

import { type JsonObject, objectOr, pickNumber, pickText, writeValue } from "../detail/json-shape";
import { Conversation } from "./conversation";
import { parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import type { TraceReader } from "./trace-reader";

/** Output of `opencode run --format json`. */
export const OPENCODE: TraceReader = {
  format: "OpenCode log",
  lacks: "the prompt or the steps of subagents",
  holds: "lines",
  recognise: ({ records }) =>
    records.some((record) => "sessionID" in record && ("part" in record || "error" in record)),
  parse: ({ records }) => parseEvents(records),
};

/** A step spans two start events. A call and its result share one line. */
function parseEvents(lines: readonly unknown[]): RawTrajectory {
  const conversation = new Conversation(lines);
  let isNew = true;
  for (const record of conversation.records) {
    const part = objectOr(record["part"]);
    const at = parseStepTime(record["timestamp"]);
    const type = record["type"];
    if (type === "error") {
      conversation.say({
        source: "system",
        at,
        message: parseParts(describeError(objectOr(record["error"]))),
      });
      conversation.stop(objectOr(record["error"])["name"]);
      isNew = true;
    } else if (type === "step_start") {
      isNew = true;
    } else if (type === "step_finish") {
      if (!isNew) conversation.add({ usage: readStepUsage(part) });
      conversation.stop(part["reason"]);
    } else if (type === "tool_use" || (pickText(part, "text") ?? "").trim() !== "") {
      if (isNew)
        conversation.say({ source: "agent", at: parseStepTime(objectOr(part["time"])["start"]) ?? at });
      isNew = false;
      addPart(conversation, part);
    }
  }
  return conversation.finish();
}

function addPart(conversation: Conversation, part: JsonObject): void {
  const text = pickText(part, "text") ?? "";
  if (part["type"] === "text" && text.trim() !== "") conversation.add({ message: parseParts(text) });
  if (part["type"] === "reasoning") conversation.add({ reasoning: text });
  if (part["type"] !== "tool") return;
  const state = objectOr(part["state"]);
  const id = pickText(part, "callID");
  conversation.call(id, pickText(part, "tool") ?? "call", state["input"]);
  if (state["output"] === undefined && state["error"] === undefined) return;
  conversation.answer({
    callId: id,
    parts: parseParts(state["output"] ?? writeValue(state["error"])),
    exitCode: pickNumber(objectOr(state["metadata"]), "exit"),
    toolError: state["status"] === "error",
  });
}

function readStepUsage(part: JsonObject): StepUsage | null {
  const tokens = objectOr(part["tokens"]);
  const cache = objectOr(tokens["cache"]);
  const input = pickNumber(tokens, "input");
  const cached = (pickNumber(cache, "read") ?? 0) + (pickNumber(cache, "write") ?? 0);
  const reasoning = pickNumber(tokens, "reasoning") ?? 0;
  const output = pickNumber(tokens, "output");
  return makeUsage({
    inputTokens: input === null ? null : input + cached,
    outputTokens: output === null ? null : output + reasoning,
    costUsd: pickNumber(part, "cost"),
  });
}

function describeError(error: JsonObject): string {
  const message = pickText(objectOr(error["data"]), "message") ?? pickText(error, "message");
  return [pickText(error, "name"), message].filter(Boolean).join(": ") || JSON.stringify(error);
}
