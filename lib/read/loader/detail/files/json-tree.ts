import type { JsonNode } from "@/lib/core/domain/file-preview";
import { countPageBytes } from "@/lib/core/domain/page-bytes";
import { cutText } from "@/lib/core/domain/text-bounder";

import { parseJsonText } from "../json-shape";
import { stripTerminal } from "../terminal-text";
import { type JsonValue, parseJsonValues } from "./json-values";

interface TreeRoom {
  nodes: number;
  bytes: number;
  readonly maxChildren: number;
}

const WHOLE_PAGE = { nodes: 2_500, bytes: 550_000, maxChildren: 200 };
const MAX_DEPTH = 30;
const NODE_BYTES = 350;
const MAX_NAME = 200;
const MAX_TEXT = 2_000;
const MAX_EXCERPT = 100;
const CUT_ESCAPE = /\\(?:u[\da-f]{0,3})?$/i;

export interface JsonSource {
  readonly text: string;
  readonly value: JsonValue;
}

interface Waiting extends JsonSource {
  readonly node: MutableNode;
  readonly depth: number;
}

interface MutableNode extends JsonNode {
  readonly children: MutableNode[];
}

/** Draws values breadth-first until the page is full, so that each value gets an equal share. */
export function drawJson(
  sources: readonly JsonSource[],
  room: TreeRoom = { ...WHOLE_PAGE },
): readonly JsonNode[] {
  const waiting: Waiting[] = [];
  const draw = (source: JsonSource, depth: number): MutableNode | null => {
    if (room.nodes <= 0 || room.bytes <= 0) return null;
    const node = toNode(source);
    room.nodes--;
    room.bytes -= NODE_BYTES + countPageBytes(node.text) + countPageBytes(node.key ?? "");
    if (source.value.children.length > 0 && depth < MAX_DEPTH) waiting.push({ ...source, node, depth });
    return node;
  };
  const roots = sources.flatMap((source) => draw(source, 0) ?? []);
  for (let next = 0; next < waiting.length; next++) {
    const one = waiting[next];
    if (one === undefined) break;
    for (const value of one.value.children.slice(0, room.maxChildren)) {
      const child = draw({ text: one.text, value }, one.depth + 1);
      if (child === null) return roots;
      one.node.children.push(child);
    }
  }
  return roots;
}

function toNode({ text, value }: JsonSource): MutableNode {
  const { kind, start, end, children, key } = value;
  const name = key === null ? null : cutText(stripTerminal(decode(text.slice(...key))), MAX_NAME);
  return {
    key: name,
    kind,
    text: writeText(text, value),
    n: children.length,
    nChars: end - start,
    children: [],
  };
}

function writeText(text: string, { kind, start, end }: JsonValue): string {
  if (kind === "object" || kind === "list")
    return stripTerminal(
      cutText(text.slice(start, start + 4 * MAX_EXCERPT).replaceAll(/\s+/g, " "), MAX_EXCERPT),
    );
  // Cut before decoding.
  const source = text.slice(start, Math.min(end, start + MAX_TEXT));
  if (kind === "other") return stripTerminal(source);
  const whole = end - start <= MAX_TEXT ? source : `${source.replace(CUT_ESCAPE, "")}"`;
  return stripTerminal(decode(whole)).toWellFormed();
}

const MAX_CHARS = 400_000;

export function drawJsonText(text: string, room: TreeRoom): JsonNode | null {
  if (text.length > MAX_CHARS || !/^\s*[[{]/u.test(text)) return null;
  const value = parseJsonValues(text);
  if ("what" in value || value.children.length === 0) return null;
  return drawJson([{ text, value }], room)[0] ?? null;
}

function decode(source: string): string {
  const value = parseJsonText(source);
  return typeof value === "string" ? value : source;
}
