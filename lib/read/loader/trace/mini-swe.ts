import { type JsonObject, listOr, objectOr, pickText } from "../detail/json-shape";
import { Conversation } from "./conversation";
import { addMessage, objectsOf, readStop, readUsage, sourceOf } from "./message";
import { parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import type { TraceReader } from "./trace-reader";

const COMMAND = /^```(?:bash|sh|mswea_bash_command)[^\n]*\n([^]*?)\n```/mu;
const OUTPUT = /^\s*<returncode>(-?\d+)<\/returncode>/u;

export const MINI_SWE: TraceReader = {
  format: "mini-swe-agent trajectory",
  lacks: null,
  holds: "value",
  recognise: ({ keys, text }) =>
    keys.has("messages") &&
    (keys.has("trajectory_format") || (keys.has("info") && text.includes('"mini_version"'))),
  parse: ({ value }) => (Array.isArray(objectOr(value)["messages"]) ? parseMessages(value) : null),
};

function parseMessages(value: unknown): RawTrajectory {
  const root = objectOr(value);
  const conversation = new Conversation(listOr(root["messages"]));
  let asked: string | null = null;
  for (const [at, message] of conversation.records.entries()) {
    const role = pickText(message, "role");
    const content = message["content"];
    const exit = typeof content === "string" ? OUTPUT.exec(content) : null;
    if (role === "tool" || (role === "user" && asked !== null && exit !== null)) {
      const callId = pickText(message, "tool_call_id") ?? asked;
      conversation.answer({
        callId,
        parts: parseParts(content),
        exitCode: exit === null ? null : Number(exit[1]),
      });
      asked = null;
      continue;
    }
    asked = sayMessage(conversation, message, `command-${at}`);
  }
  addEnd(conversation, objectOr(root["info"]));
  return conversation.finish();
}

function sayMessage(conversation: Conversation, message: JsonObject, id: string): string | null {
  const extra = objectOr(message["extra"]);
  const { role, content } = message;
  const spoken = {
    source: sourceOf(pickText(message, "role")),
    at: parseStepTime(message["timestamp"] ?? extra["timestamp"]),
    usage: readUsage(objectOr(extra["response"])["usage"]),
  };
  addMessage(conversation, content, spoken, objectsOf(message["tool_calls"]));
  conversation.stop(readStop(objectOr(objectsOf(objectOr(extra["response"])["choices"])[0])));
  const command =
    role === "assistant" && typeof content === "string" ? COMMAND.exec(content)?.[1] : undefined;
  if (command === undefined) return null;
  conversation.call(id, "bash", { command });
  return id;
}

function addEnd(conversation: Conversation, info: Readonly<Record<string, unknown>>): void {
  const status = pickText(info, "exit_status");
  const traceback = pickText(info, "traceback");
  const words = [status === null ? null : `Ended with ${status}.`, traceback].filter(Boolean).join("\n\n");
  if (words !== "") conversation.say({ source: "system", message: parseParts(words) });
  conversation.stop(status);
}
