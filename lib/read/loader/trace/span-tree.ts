import { isObject, writeValue } from "../detail/json-shape";
import { Conversation } from "./conversation";
import { parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import { listSpans, pickAttribute, readSpanUsage, readTurn, type Span } from "./span";

export function parseSpanTree(records: readonly unknown[]): RawTrajectory {
  const conversation = new Conversation();
  const spans = records.filter(isObject).flatMap(listSpans);
  spans.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
  for (const { span, level } of orderSpans(spans)) addSpan(conversation, span, level);
  return conversation.finish();
}

interface PlacedSpan {
  readonly span: Span;
  readonly level: number;
}

function orderSpans(spans: readonly Span[]): readonly PlacedSpan[] {
  const name = (span: Span, id: string | null) => (id === null ? null : `${span.traceId ?? ""}:${id}`);
  const known = new Set(spans.map((span) => name(span, span.id)));
  const parentOf = (span: Span) => {
    const parent = name(span, span.parentId);
    return known.has(parent) ? parent : null;
  };
  const children = Map.groupBy(spans, parentOf);
  const placed = new Map<Span, number>();
  const place = (root: Span) => {
    const open: PlacedSpan[] = [{ span: root, level: 0 }];
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
