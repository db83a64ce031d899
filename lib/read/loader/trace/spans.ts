import type { StepUsage } from "@/lib/core/domain/trajectory";

import { isObject, pickText } from "../detail/json-shape";
import { Conversation } from "./conversation";
import { addCall, sourceOf } from "./message";
import { parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import {
  type ChatMessage,
  isSpan,
  listSpans,
  pickAttribute,
  readSpanStop,
  readSpanUsage,
  readTurn,
  type Span,
} from "./span";
import { parseSpanTree } from "./span-tree";
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
  /** Call ids, of which `nAnswered` have results. Some instrumentations do not link results to calls. */
  readonly asked: (string | null)[];
  nAnswered: number;
}

interface Turn {
  readonly span: Span;
  readonly thread: Thread;
  readonly given: readonly ChatMessage[];
  readonly gave: readonly ChatMessage[];
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
function joinThreads(spans: readonly Span[]): readonly Turn[] {
  const threads: Thread[] = [];
  const read = spans.map((span) => ({ span, ...readTurn(span) }));
  const spoken = read.filter(({ given, gave }) => given.length + gave.length > 0);
  // Nested libraries record a call twice. The outer span is what the agent's program saw.
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
