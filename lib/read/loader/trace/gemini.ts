import { makeUsage } from "@/lib/core/domain/trajectory";

import { isObject, type JsonObject, objectOr, pickNumber, pickText } from "../detail/json-shape";
import { Conversation, LAST_CALL } from "./conversation";
import { objectsOf, readStop, sourceOf } from "./message";
import { parseParts, parseStepTime, type RawPart, type RawTrajectory } from "./raw-trajectory";
import type { TraceHead, TraceReader } from "./trace-reader";

const FORMAT = { format: "Gemini CLI session", lacks: null } as const;

/** Gemini CLI sessions before 0.40: one object with its messages. */
export const GEMINI: TraceReader = {
  ...FORMAT,
  holds: "value",
  recognise: ({ keys, text }) =>
    keys.has("sessionId") &&
    keys.has("messages") &&
    (keys.has("projectHash") || /"type"\s*:\s*"gemini"/u.test(text)),
  parse: ({ value }) =>
    readMessages(objectsOf(objectOr(value)["messages"]).map((record) => ({ record, isRewound: false }))),
};

/** Gemini CLI sessions since 0.40: messages, later changes to them, and rewinds. */
export const GEMINI_LINES: TraceReader = {
  ...FORMAT,
  holds: "lines",
  isSession: true,
  recognise: isGeminiLog,
  parse: ({ records }) => {
    const conversation = new Conversation(records);
    const replay = new Replay();
    for (const record of conversation.records) replay.add(record);
    return readMessages(replay.messages, conversation);
  },
};

function isGeminiLog({ records, isList }: TraceHead): boolean {
  if (isList) return false;
  return records.some(
    (record) =>
      record["type"] === "gemini" ||
      ("sessionId" in record && "projectHash" in record) ||
      (record["type"] === "message_update" && "id" in record),
  );
}

const FIELDS = ["type", "timestamp", "content", "thoughts", "toolCalls", "finishReason"] as const;
const TOKENS = ["input", "output", "thoughts", "tool"] as const;

interface Message {
  readonly record: Record<string, unknown>;
  isRewound: boolean;
}

class Replay {
  readonly messages: Message[] = [];
  private readonly kept: (Message & { readonly id: string | null })[] = [];
  private readonly places = new Map<string, number>();
  private readonly early = new Map<string, JsonObject[]>();

  add(record: JsonObject): void {
    const id = pickText(record, "id");
    if ("$rewindTo" in record) this.rewind(pickText(record, "$rewindTo"));
    else if (record["type"] === "message_update") {
      if (id !== null) this.change(id, record);
    } else if (typeof record["type"] === "string") this.say(id, record);
  }

  private rewind(id: string | null): void {
    for (const message of this.kept.splice(this.places.get(id ?? "") ?? 0)) {
      message.isRewound = true;
      this.places.delete(message.id ?? "");
    }
    this.early.clear();
  }

  private change(id: string, change: JsonObject): void {
    const message = this.kept[this.places.get(id) ?? -1];
    if (message !== undefined) take(message.record, { ...change, type: message.record["type"] });
    else {
      const early = this.early.get(id) ?? [];
      early.push(change);
      this.early.set(id, early);
    }
  }

  private say(id: string | null, record: JsonObject): void {
    const known = this.kept[this.places.get(id ?? "") ?? -1];
    const message = known ?? { id, record: {}, isRewound: false };
    take(message.record, record);
    if (known !== undefined) return;
    this.messages.push(message);
    if (id !== null) this.places.set(id, this.kept.length);
    this.kept.push(message);
    for (const change of this.early.get(id ?? "") ?? [])
      take(message.record, { ...change, type: record["type"] });
  }
}

function take(record: Record<string, unknown>, from: JsonObject): void {
  for (const name of FIELDS) if (name in from) record[name] = from[name];
  const [known, more] = [objectOr(record["tokens"]), objectOr(from["tokens"])];
  if ("tokens" in from)
    record["tokens"] = Object.fromEntries(TOKENS.map((name) => [name, more[name] ?? known[name]]));
}

function readMessages(messages: readonly Message[], conversation = new Conversation()): RawTrajectory {
  for (const { record, isRewound } of messages) addMessage(conversation, record, isRewound);
  return conversation.finish();
}

function addMessage(conversation: Conversation, record: JsonObject, isRewound: boolean): void {
  const type = pickText(record, "type");
  const message = parseParts(record["content"]);
  const reasoning = readThoughts(record["thoughts"]);
  const calls = objectsOf(record["toolCalls"]);
  if (message.length + calls.length === 0 && reasoning === null) return;
  conversation.say({
    source: type === "gemini" ? "agent" : sourceOf(type),
    at: parseStepTime(record["timestamp"]),
    sidechain: isRewound ? "abandoned branch" : null,
    usage: readTokens(objectOr(record["tokens"])),
    message,
    reasoning,
  });
  conversation.stop(readStop(record));
  for (const call of calls) addCall(conversation, call);
}

function readThoughts(thoughts: unknown): string | null {
  const texts = objectsOf(thoughts).map((thought) =>
    [pickText(thought, "subject"), pickText(thought, "description")].filter(Boolean).join(": "),
  );
  return texts.filter((text) => text !== "").join("\n") || null;
}

/** Counts like Harbor: cache in the prompt, thoughts and tools in the output. */
function readTokens(tokens: JsonObject) {
  const put = [pickNumber(tokens, "output"), pickNumber(tokens, "thoughts"), pickNumber(tokens, "tool")];
  const stated = put.filter((count) => count !== null);
  return makeUsage({
    inputTokens: pickNumber(tokens, "input"),
    outputTokens: stated.length === 0 ? null : stated.reduce((sum, count) => sum + count, 0),
    costUsd: null,
  });
}

function addCall(conversation: Conversation, call: JsonObject): void {
  conversation.call(pickText(call, "id"), pickText(call, "name") ?? "call", call["args"]);
  const parts = objectsOf(call["result"]).flatMap(readResult);
  // The result is embedded in the call, under any id.
  const toolError = pickText(call, "status") === "error";
  if (parts.length > 0 || toolError) conversation.answer({ callId: LAST_CALL, parts, toolError });
}

function readResult(item: JsonObject): readonly RawPart[] {
  const answer = objectOr(item["functionResponse"]);
  const response = objectOr(answer["response"]);
  const text = pickText(response, "output", "error") ?? response["output"] ?? item["text"];
  const rest = text === undefined && Object.keys(response).length > 0 ? response : text;
  const images = objectsOf(answer["parts"]).flatMap((part) =>
    isObject(part["inlineData"]) ? parseParts([{ type: "image", ...part["inlineData"] }]) : [],
  );
  return [...parseParts(rest), ...images];
}
