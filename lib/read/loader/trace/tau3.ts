import { type ClockTime, computeDurationMs } from "@/lib/core/domain/clock-time";

import { listOr, objectOr, parseJsonText, pickNumber, pickText } from "../detail/json-shape";
import { Conversation } from "./conversation";
import { addCall, objectsOf, readUsage, sourceOf } from "./message";
import { parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import type { TraceReader } from "./trace-reader";

export const TAU3: TraceReader = {
  format: "tau3 runtime state",
  lacks: null,
  holds: "value",
  recognise: ({ keys }) =>
    keys.has("task_id") && keys.has("messages") && (keys.has("termination_reason") || keys.has("domain")),
  parse: ({ value }) => (Array.isArray(objectOr(value)["messages"]) ? parseState(value) : null),
};

function parseState(value: unknown): RawTrajectory {
  const state = objectOr(value);
  const conversation = new Conversation(listOr(state["messages"]));
  let before: ClockTime | null = null;
  for (const message of conversation.records) {
    const role = pickText(message, "role");
    const at = parseStepTime(message["timestamp"]);
    const seconds = pickNumber(message, "generation_time_seconds");
    // A message's timestamp is its end.
    const durationMs =
      seconds === null
        ? computeDurationMs({ startedAt: before, finishedAt: at })
        : Math.round(seconds * 1000);
    before = at;
    if (role === "tool") {
      const { id, content, error } = message;
      const callId = typeof id === "string" ? id : null;
      conversation.answer({ callId, parts: parseParts(content), toolError: error === true });
      continue;
    }
    const calls = objectsOf(message["tool_calls"]);
    conversation.say({
      source: sourceOf(role),
      at,
      durationMs,
      message: parseParts(openMessage(message["content"])),
      usage: readUsage(message["usage"], pickNumber(message, "cost")),
      // A simulated user can also make calls.
      sidechain: role === "user" && calls.length > 0 ? "simulated user" : null,
    });
    for (const call of calls) addCall(conversation, call);
  }
  const end = pickText(state, "termination_reason");
  if (end !== null) conversation.say({ source: "system", message: parseParts(describeEnd(end, state)) });
  conversation.stop(end);
  return conversation.finish({ agent: pickText(state, "agent") });
}

function openMessage(content: unknown): unknown {
  if (typeof content !== "string" || !content.startsWith('{"message":"')) return content;
  const answer = objectOr(parseJsonText(content));
  return Object.keys(answer).length === 1 ? (pickText(answer, "message") ?? content) : content;
}

function describeEnd(reason: string, state: Readonly<Record<string, unknown>>): string {
  const [nSteps, mostSteps] = [pickNumber(state, "step_count"), pickNumber(state, "max_steps")];
  const steps =
    nSteps === null ? "" : `, ${nSteps}${mostSteps === null ? "" : ` of at most ${mostSteps}`} turns`;
  return `Ended with ${reason}${steps}.`;
}
