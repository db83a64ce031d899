import { type StepUsage, makeUsage } from "@/lib/core/domain/trajectory";

import { pickText, writeValue, type JsonObject, listOr, objectOr, parseJsonText } from "../detail/json-shape";
import { Conversation } from "./conversation";
import { addCall, sourceOf, objectsOf } from "./message";
import { parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import type { TraceReader } from "./trace-reader";

/** OpenTelemetry spans with OpenInference or GenAI attributes. */
export const SPANS: TraceReader = {
  format: "OpenTelemetry spans",
  lacks: null,
  holds: "lines",
  recognise: ({ keys, records }) =>
    keys.has("resourceSpans") ||
    keys.has("resource_spans") ||
    records.some((record) => "resourceSpans" in record || "resource_spans" in record || isSpan(record)),
  parse: ({ records }) => parseSpans(records),
  alternative: {
    format: "OpenTelemetry span tree",
    lacks: null,
    holds: "lines",
    recognise: () => false,
    parse: ({ records }) => parseSpanTree(records),
  },
};

interface Thread {
  readonly opening: readonly string[];
  nSeen: number;
  nSpans: number;
  /** Call ids. `nAnswered` of them have results. Some instrumentations do not link results to calls. */
  readonly asked: (string | null)[];
  nAnswered: number;
}

function parseSpans(records: readonly unknown[]): RawTrajectory {
  const conversation = new Conversation();
  const turns = joinThreads(listSpans(records));
  const main = turns.map(({ thread }) => thread).sort((a, b) => b.nSpans - a.nSpans)[0];
  const names = new Map<Thread, string>();
  for (const { span, thread, given, gave } of turns) {
    const model = pickAttribute(span, "llm.model_name", "gen_ai.request.model", "gen_ai.response.model");
    if (!names.has(thread)) names.set(thread, `${model ?? span.name} ${names.size + 1}`);
    const sidechain = thread === main ? null : (names.get(thread) ?? null);
    for (const message of given) say(conversation, message, { span, thread, sidechain, usage: null });
    const usage = readSpanUsage(span);
    for (const [nth, message] of gave.entries())
      say(conversation, message, { span, thread, sidechain, usage: nth === 0 ? usage : null });
    if (thread === main) conversation.stop(readSpanStop(span));
  }
  return turns.length === 0 ? parseSpanTree(records) : conversation.finish();
}

const MAX_THREADS = 500;
const OPENING = 2;

/** Assigns model spans to threads by opening and message count. Later messages may be reworded, so they only count. */
function joinThreads(spans: readonly Span[]) {
  const threads: Thread[] = [];
  const read = spans.map((span) => ({ span, ...readTurn(span) }));
  const spoken = read.filter(({ given, gave }) => given.length + gave.length > 0);
  // Nested libraries record a call twice. The outer span is what the agent's program saw.
  const ids = new Set(spoken.map(({ span }) => span.id));
  const used = spoken.filter(({ span }) => span.parentId === null || !ids.has(span.parentId));
  return used.map(({ span, given, gave }) => {
    const opening = given.slice(0, OPENING).map(({ role, text }) => JSON.stringify([role, text]));
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

function parseSpanTree(records: readonly unknown[]): RawTrajectory {
  const conversation = new Conversation();
  for (const { span, level } of orderSpans(listSpans(records))) addSpan(conversation, span, level);
  return conversation.finish();
}

function orderSpans(spans: readonly Span[]) {
  const name = (span: Span, id: string | null) => (id === null ? null : `${span.traceId ?? ""}:${id}`);
  const known = new Set(spans.map((span) => name(span, span.id)));
  const parentOf = (span: Span) => {
    const parent = name(span, span.parentId);
    return known.has(parent) ? parent : null;
  };
  const children = Map.groupBy(spans, parentOf);
  const placed = new Map<Span, number>();
  const place = (root: Span) => {
    const open = [{ span: root, level: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { span, level } = next;
      if (placed.has(span)) continue;
      placed.set(span, level);
      const id = name(span, span.id);
      const below = id === null ? [] : (children.get(id) ?? []);
      for (const child of below.toReversed()) open.push({ span: child, level: level + 1 });
    }
  };
  for (const traced of Map.groupBy(spans, ({ traceId }) => traceId).values()) {
    for (const span of traced) if (parentOf(span) === null) place(span);
    for (const span of traced) place(span);
  }
  return [...placed].map(([span, level]) => ({ span, level }));
}

function addSpan(conversation: Conversation, span: Span, level: number): void {
  const { startedAt, endedAt } = span;
  conversation.say({
    source: "agent",
    at: startedAt === null ? null : parseStepTime(startedAt),
    level,
    durationMs: startedAt === null || endedAt === null ? null : Math.max(0, Math.round(endedAt - startedAt)),
    usage: readSpanUsage(span),
  });
  const { given, gave } = readTurn(span);
  const tool = pickAttribute(span, "tool.name", "gen_ai.tool.name");
  const input = given.at(-1)?.text ?? pickAttribute(span, "input.value") ?? "";
  conversation.call(null, tool ?? span.name, input);
  const said = gave.flatMap(({ text, calls }) => [text, ...calls.map(writeValue)]);
  const output = pickAttribute(span, "output.value") ?? said.filter((text) => text !== "").join("\n\n");
  if (output !== "" || span.isFailed)
    conversation.answer({ callId: null, parts: parseParts(output), toolError: span.isFailed });
}

interface Span {
  readonly traceId: string | null;
  readonly id: string | null;
  readonly parentId: string | null;
  readonly name: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly isFailed: boolean;
  readonly attributes: ReadonlyMap<string, unknown>;
}

interface ChatMessage {
  readonly role: string | null;
  readonly text: string;
  readonly callId: string | null;
  readonly calls: readonly JsonObject[];
}

function isSpan(record: JsonObject): boolean {
  return ("trace_id" in record || "traceId" in record || "context" in record) && "attributes" in record;
}

/** Returns the spans of a log by start. */
function listSpans(records: readonly unknown[]): readonly Span[] {
  const found = objectsOf(records).flatMap((record) => {
    if (isSpan(record)) return readSpan(record);
    return objectsOf(record["resourceSpans"] ?? record["resource_spans"])
      .flatMap((resource) => objectsOf(resource["scopeSpans"] ?? resource["scope_spans"]))
      .flatMap((scope) => objectsOf(scope["spans"]).map(readSpan));
  });
  return found.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
}

function readSpan(span: JsonObject): Span {
  const listed = objectsOf(span["attributes"]).map(
    ({ key, value }) => [String(key), readValue(value)] as const,
  );
  const attributes = listed.length > 0 ? listed : Object.entries(objectOr(span["attributes"]));
  const status = objectOr(span["status"]);
  const context = objectOr(span["context"]);
  return {
    traceId: pickText(span, "trace_id", "traceId") ?? pickText(context, "trace_id"),
    id: pickText(span, "span_id", "spanId") ?? pickText(context, "span_id"),
    parentId: pickText(span, "parent_span_id", "parentSpanId", "parent_id"),
    name: pickText(span, "name") ?? "span",
    startedAt: readTime(span["startTimeUnixNano"] ?? span["start_time_unix_nano"] ?? span["start_time"]),
    endedAt: readTime(span["endTimeUnixNano"] ?? span["end_time_unix_nano"] ?? span["end_time"]),
    isFailed: /error|^2$/iu.test(writeValue(status["code"] ?? status["status_code"] ?? "")),
    attributes: new Map(attributes),
  };
}

/** Parses nanoseconds since 1970 or a date. */
function readTime(time: unknown): number | null {
  const nanos = time === null || time === "" ? NaN : Number(time);
  return Number.isFinite(nanos) ? nanos / 1e6 : (parseStepTime(time)?.epochMs ?? null);
}

function readValue(value: unknown): unknown {
  const [name, stated] = Object.entries(objectOr(value))[0] ?? [];
  const values = objectOr(stated)["values"];
  return /^array_?value$/iu.test(name ?? "") ? objectsOf(values).map(readValue) : stated;
}

const INDEXED = /^(\d{1,6})\.(?:message\.)?(.+)$/u;
const CALL = /^tool_calls\.(\d{1,6})\.(?:tool_call\.)?(?:function\.)?(name|arguments|id)$/u;
const PART = /^contents\.\d{1,6}\.message_content\.text$/u;

function readTurn(span: Span) {
  return {
    given: readMessages(span, "llm.input_messages.", "gen_ai.prompt.", "gen_ai.input.messages"),
    gave: readMessages(span, "llm.output_messages.", "gen_ai.completion.", "gen_ai.output.messages"),
  };
}

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

/** Returns tokens and cost of a model call; null if it states neither. */
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

function readSpanStop(span: Span): string | null {
  const stated = span.attributes.get("gen_ai.response.finish_reasons");
  const reasons = typeof stated === "string" ? parseJsonText(stated) : stated;
  const [first] = listOr(reasons);
  if (typeof first === "string") return first;
  return pickAttribute(
    span,
    "llm.finish_reason",
    "gen_ai.completion.0.finish_reason",
    "llm.output_messages.0.message.finish_reason",
  );
}

function pickAttribute(span: Span, ...names: readonly string[]): string | null {
  const values = names.map((name) => span.attributes.get(name));
  return values.find((value): value is string => typeof value === "string" && value !== "") ?? null;
}
