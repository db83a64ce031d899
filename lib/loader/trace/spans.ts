import { makeUsage, type StepUsage } from "@/lib/domain/trajectory";

import {
  isObject,
  type JsonObject,
  objectOr,
  parseJsonText,
  pickText,
  writeValue,
} from "../detail/json-shape";
import { Conversation } from "./conversation";
import { addCall, objectsOf, sourceOf } from "./message";
import { parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import type { TraceReader } from "./trace-reader";

/** Spans of OpenTelemetry, with the attributes of OpenInference or of its own conventions for generative AI. */
export const SPANS: TraceReader = {
  format: "OpenTelemetry spans",
  lacks: null,
  holds: "lines",
  recognise: ({ keys, records }) =>
    keys.has("resourceSpans") ||
    keys.has("resource_spans") ||
    records.some((record) => "resourceSpans" in record || "resource_spans" in record || isSpan(record)),
  parse: ({ records }) => parseSpans(records),
};

/** One operation of a trace. */
interface Span {
  readonly id: string | null;
  readonly parentId: string | null;
  readonly name: string;
  readonly startedAt: number | null;
  readonly isFailed: boolean;
  readonly attributes: ReadonlyMap<string, unknown>;
}

/** A message that a model was given or gave. */
interface ChatMessage {
  readonly role: string | null;
  readonly text: string;
  readonly callId: string | null;
  readonly calls: readonly JsonObject[];
}

/** Spans that continue one another: each was given what the ones before it were given and gave. */
interface Thread {
  /** What its first messages say. */
  readonly opening: readonly string[];
  /** Messages that it had after its last span. */
  nSeen: number;
  nSpans: number;
  /** Ids of its calls, and how many of them were answered; some instrumentations do not say which call a result is of. */
  readonly asked: (string | null)[];
  nAnswered: number;
}

/** A span with the messages that are new in it. */
interface Turn {
  readonly span: Span;
  readonly thread: Thread;
  readonly given: readonly ChatMessage[];
  readonly gave: readonly ChatMessage[];
}

function isSpan(record: JsonObject): boolean {
  return ("trace_id" in record || "traceId" in record || "context" in record) && "attributes" in record;
}

function parseSpans(records: readonly unknown[]): RawTrajectory {
  const conversation = new Conversation();
  const spans = records.filter(isObject).flatMap(listSpans);
  spans.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
  const turns = joinThreads(spans);
  const main = turns.map(({ thread }) => thread).sort((a, b) => b.nSpans - a.nSpans)[0];
  const names = new Map<Thread, string>();
  for (const { span, thread, given, gave } of turns) {
    const model = pickAttribute(span, "llm.model_name", "gen_ai.request.model", "gen_ai.response.model");
    if (!names.has(thread)) names.set(thread, `${model ?? span.name} ${names.size + 1}`);
    const sidechain = thread === main ? null : (names.get(thread) ?? null);
    for (const message of given) say(conversation, message, { span, thread, sidechain, usage: null });
    // Of all that it gave together.
    const usage = readSpanUsage(span);
    for (const [nth, message] of gave.entries())
      say(conversation, message, { span, thread, sidechain, usage: nth === 0 ? usage : null });
  }
  // Without a model's spans there is no conversation, only what was done.
  if (turns.length === 0) for (const span of spans) addOperation(conversation, span);
  return conversation.finish();
}

function listSpans(record: JsonObject): readonly Span[] {
  if (isSpan(record)) return [readSpan(record)];
  return objectsOf(record["resourceSpans"] ?? record["resource_spans"])
    .flatMap((resource) => objectsOf(resource["scopeSpans"] ?? resource["scope_spans"]))
    .flatMap((scope) => objectsOf(scope["spans"]).map(readSpan));
}

function readSpan(span: JsonObject): Span {
  const listed = objectsOf(span["attributes"]).map(
    ({ key, value }) => [String(key), readValue(value)] as const,
  );
  const attributes = listed.length > 0 ? listed : Object.entries(objectOr(span["attributes"]));
  const start = span["startTimeUnixNano"] ?? span["start_time_unix_nano"] ?? span["start_time"];
  const nanos = Number(start);
  const status = objectOr(span["status"]);
  const context = objectOr(span["context"]);
  return {
    id: pickText(span, "span_id", "spanId") ?? pickText(context, "span_id"),
    parentId: pickText(span, "parent_span_id", "parentSpanId", "parent_id"),
    name: pickText(span, "name") ?? "span",
    startedAt: Number.isFinite(nanos) ? nanos / 1e6 : (parseStepTime(start)?.epochMs ?? null),
    isFailed: /error|^2$/iu.test(writeValue(status["code"] ?? status["status_code"] ?? "")),
    attributes: new Map(attributes),
  };
}

/** A value of an attribute, whose type its only key names. */
function readValue(value: unknown): unknown {
  const [name, stated] = Object.entries(objectOr(value))[0] ?? [];
  const values = objectOr(stated)["values"];
  return /^array_?value$/iu.test(name ?? "") ? objectsOf(values).map(readValue) : stated;
}

/** No real run has as many; what comes then is part of the last one. */
const MAX_THREADS = 500;
/** Messages by which a thread is told from others: the system's and the first that somebody says. */
const OPENING = 2;

/**
 * The spans of models in their order, each in the thread that begins as it does and that it is given again. Later messages
 * are counted, not compared: what a model gave is often written in another way where it is given back.
 */
function joinThreads(spans: readonly Span[]): readonly Turn[] {
  const threads: Thread[] = [];
  const read = spans.map((span) => ({
    span,
    given: readMessages(span, "llm.input_messages.", "gen_ai.prompt.", "gen_ai.input.messages"),
    gave: readMessages(span, "llm.output_messages.", "gen_ai.completion.", "gen_ai.output.messages"),
  }));
  const spoken = read.filter(({ given, gave }) => given.length + gave.length > 0);
  // A library that calls another one leaves two spans of one call: the outer one says what the agent's program saw.
  const ids = new Set(spoken.map(({ span }) => span.id));
  const used = spoken.filter(({ span }) => span.parentId === null || !ids.has(span.parentId));
  return used.map(({ span, given, gave }) => {
    const opening = given.slice(0, OPENING).map(signMessage);
    const fitting = threads.findLast(
      (one) => one.nSeen <= given.length && one.opening.every((sign, at) => sign === opening[at]),
    );
    const known = fitting ?? (threads.length < MAX_THREADS ? undefined : threads.at(-1));
    const thread = known ?? { opening, nSeen: 0, nSpans: 0, asked: [], nAnswered: 0 };
    if (known === undefined) threads.push(thread);
    const fresh = given.slice(thread.nSeen);
    thread.nSeen = given.length + gave.length;
    thread.nSpans++;
    return { span, thread, given: fresh, gave };
  });
}

function signMessage({ role, text }: ChatMessage): string {
  return JSON.stringify([role, text]);
}

const INDEXED = /^(\d{1,6})\.(?:message\.)?(.+)$/u;
const CALL = /^tool_calls\.(\d{1,6})\.(?:tool_call\.)?(?:function\.)?(name|arguments|id)$/u;
const PART = /^contents\.\d{1,6}\.message_content\.text$/u;

/** Messages as flat attributes with numbers, or as the JSON of one attribute. */
function readMessages(span: Span, ...prefixes: readonly string[]): readonly ChatMessage[] {
  for (const prefix of prefixes) {
    const whole = span.attributes.get(prefix);
    const listed = objectsOf(typeof whole === "string" ? parseJsonText(whole) : whole);
    if (listed.length > 0) return listed.map(readListed);
    const byPlace = new Map<number, Map<string, unknown>>();
    for (const [key, value] of span.attributes) {
      const [, place, field] = key.startsWith(prefix) ? (INDEXED.exec(key.slice(prefix.length)) ?? []) : [];
      if (place === undefined || field === undefined) continue;
      const fields = byPlace.get(Number(place)) ?? new Map<string, unknown>();
      byPlace.set(Number(place), fields.set(field, value));
    }
    if (byPlace.size > 0)
      return [...byPlace].sort(([a], [b]) => a - b).map(([, fields]) => readIndexed(fields));
  }
  return [];
}

function readIndexed(fields: ReadonlyMap<string, unknown>): ChatMessage {
  const calls = new Map<number, Record<string, unknown>>();
  const texts: string[] = [];
  for (const [field, value] of fields) {
    const [, place, name] = CALL.exec(field) ?? [];
    if (place !== undefined && name !== undefined)
      calls.set(Number(place), { ...calls.get(Number(place)), [name]: value });
    else if (field === "content" || PART.test(field)) texts.push(writeValue(value));
  }
  const named = Object.fromEntries(fields);
  return {
    role: pickText(named, "role"),
    text: texts.join("\n"),
    callId: pickText(named, "tool_call_id"),
    calls: [...calls.values()],
  };
}

function readListed(message: JsonObject): ChatMessage {
  const parts = objectsOf(message["parts"]);
  const texts = parts.map((part) => pickText(part, "content", "text", "response") ?? "");
  return {
    role: pickText(message, "role"),
    text: parts.length === 0 ? writeValue(message["content"] ?? "") : texts.filter(Boolean).join("\n"),
    callId: pickText(objectOr(parts[0]), "id") ?? pickText(message, "tool_call_id"),
    calls: [...parts.filter(({ type }) => type === "tool_call"), ...objectsOf(message["tool_calls"])],
  };
}

interface Said {
  readonly span: Span;
  readonly thread: Thread;
  readonly sidechain: string | null;
  readonly usage: StepUsage | null;
}

function say(
  conversation: Conversation,
  message: ChatMessage,
  { span, thread, sidechain, usage }: Said,
): void {
  const { role, text, calls } = message;
  if (role === "tool") {
    const next = thread.asked[thread.nAnswered++] ?? null;
    const stated = message.callId !== null && conversation.knows(message.callId) ? message.callId : null;
    conversation.answer({ callId: stated ?? next, parts: parseParts(text) });
    return;
  }
  const at = span.startedAt === null ? null : parseStepTime(span.startedAt);
  conversation.say({ source: sourceOf(role), at, sidechain, usage, message: parseParts(text) });
  for (const call of calls) {
    addCall(conversation, call);
    thread.asked.push(pickText(call, "id", "call_id", "tool_call_id"));
  }
}

/** A span that is no call of a model. */
function addOperation(conversation: Conversation, span: Span): void {
  const at = span.startedAt === null ? null : parseStepTime(span.startedAt);
  conversation.say({ source: "agent", at });
  conversation.call(
    null,
    pickAttribute(span, "tool.name", "gen_ai.tool.name") ?? span.name,
    pickAttribute(span, "input.value") ?? "",
  );
  const output = pickAttribute(span, "output.value") ?? "";
  conversation.answer({ callId: null, parts: parseParts(output), toolError: span.isFailed });
}

function readSpanUsage(span: Span): StepUsage | null {
  const count = (...names: readonly string[]) => {
    const stated = names.map((name) => span.attributes.get(name)).find((value) => value !== undefined);
    const amount = stated === undefined ? NaN : Number(stated);
    return Number.isFinite(amount) ? amount : null;
  };
  return makeUsage({
    inputTokens: count("llm.token_count.prompt", "gen_ai.usage.input_tokens"),
    outputTokens: count("llm.token_count.completion", "gen_ai.usage.output_tokens"),
    costUsd: count("llm.cost.total"),
  });
}

function pickAttribute(span: Span, ...names: readonly string[]): string | null {
  const values = names.map((name) => span.attributes.get(name));
  return values.find((value): value is string => typeof value === "string" && value !== "") ?? null;
}
