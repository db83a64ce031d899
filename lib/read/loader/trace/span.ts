import { makeUsage, type StepUsage } from "@/lib/core/domain/trajectory";

import { type JsonObject, listOr, objectOr, parseJsonText, pickText, writeValue } from "../detail/json-shape";
import { objectsOf } from "./message";
import { parseStepTime } from "./raw-trajectory";

export interface Span {
  readonly traceId: string | null;
  readonly id: string | null;
  readonly parentId: string | null;
  readonly name: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly isFailed: boolean;
  readonly attributes: ReadonlyMap<string, unknown>;
}

export interface ChatMessage {
  readonly role: string | null;
  readonly text: string;
  readonly callId: string | null;
  readonly calls: readonly JsonObject[];
}

export function isSpan(record: JsonObject): boolean {
  return ("trace_id" in record || "traceId" in record || "context" in record) && "attributes" in record;
}

export function listSpans(record: JsonObject): readonly Span[] {
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

export function readTurn(span: Span): {
  readonly given: readonly ChatMessage[];
  readonly gave: readonly ChatMessage[];
} {
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
export function readSpanUsage(span: Span): StepUsage | null {
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

export function readSpanStop(span: Span): string | null {
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

export function pickAttribute(span: Span, ...names: readonly string[]): string | null {
  const values = names.map((name) => span.attributes.get(name));
  return values.find((value): value is string => typeof value === "string" && value !== "") ?? null;
}
