import { findStringEnd } from "@/lib/core/domain/count-values";
import type { JsonNode } from "@/lib/core/domain/file-preview";
import { countPageBytes } from "@/lib/core/domain/page-bytes";
import { cutText } from "@/lib/core/domain/text-bounder";

import { parseJsonText } from "../json-shape";
import { stripTerminal } from "../terminal-text";

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

export interface JsonValue {
  readonly kind: "object" | "list" | "text" | "other";
  readonly start: number;
  end: number;
  readonly key: readonly [start: number, end: number] | null;
  readonly children: JsonValue[];
}

interface JsonFault {
  readonly at: number;
  readonly what: string;
}

const MOST_VALUES = 200_000;
const SPACE = /[ \t\r\n\uFEFF]*/y;
const WORD =
  /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|-?(?:Infinity|NaN)\b|(?:true|false|null)\b/y;

/** Scans JSON without building values, so that numbers and duplicate keys keep their spelling. Uses no stack. */
export function parseJsonValues(text: string): JsonValue | JsonFault {
  const scanner = new Scanner(text);
  while (scanner.fault === null && !scanner.isDone) scanner.step();
  return scanner.fault ?? scanner.finish();
}

class Scanner {
  fault: JsonFault | null = null;
  isDone = false;
  private at = 0;
  private nValues = 0;
  private root: JsonValue | null = null;
  private readonly open: JsonValue[] = [];

  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  step(): void {
    this.skipSpace();
    const inside = this.open.at(-1);
    if (inside === undefined) this.takeValue(null);
    else if (this.text[this.at] === closing(inside)) this.close(inside);
    else if (inside.children.length > 0 && !this.take(",")) this.fail(`a comma or ${closing(inside)}`);
    else if (inside.kind === "list") this.takeValue(null);
    else this.takeMember();
  }

  finish(): JsonValue | JsonFault {
    this.skipSpace();
    if (this.at < this.text.length) this.fail("the end");
    return this.fault ?? this.root ?? { at: 0, what: "a value" };
  }

  private takeMember(): void {
    this.skipSpace();
    const key = this.takeText();
    this.skipSpace();
    if (key === null) this.fail("a name in quotes");
    else if (!this.take(":")) this.fail("a colon");
    else this.takeValue(key);
  }

  private takeValue(key: JsonValue["key"]): void {
    this.skipSpace();
    const start = this.at;
    const char = this.text[start];
    const kind = char === "{" ? "object" : char === "[" ? "list" : char === '"' ? "text" : "other";
    if (kind === "object" || kind === "list") this.at++;
    else if (kind === "text" ? this.takeText() === null : !this.takeWord()) {
      this.fail("a value");
      return;
    }
    const value: JsonValue = { kind, start, end: this.at, key, children: [] };
    if (++this.nValues > MOST_VALUES)
      this.fault = { at: start, what: `more than ${MOST_VALUES.toLocaleString("en")} values` };
    this.root ??= value;
    this.open.at(-1)?.children.push(value);
    if (kind === "object" || kind === "list") this.open.push(value);
    this.isDone = this.open.length === 0;
  }

  private close(value: JsonValue): void {
    this.at++;
    value.end = this.at;
    this.open.pop();
    this.isDone = this.open.length === 0;
  }

  private takeText(): readonly [number, number] | null {
    const start = this.at;
    if (this.text[start] !== '"') return null;
    const end = findStringEnd(this.text, start);
    if (end >= this.text.length) return null;
    this.at = end + 1;
    return [start, this.at];
  }

  private takeWord(): boolean {
    WORD.lastIndex = this.at;
    const found = WORD.exec(this.text);
    this.at += found?.[0].length ?? 0;
    return found !== null;
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private skipSpace(): void {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.text)?.[0].length ?? 0;
  }

  private fail(wanted: string): void {
    const found =
      this.at < this.text.length
        ? JSON.stringify(this.text.slice(this.at, this.at + 1))
        : "the end of the text";
    this.fault = { at: this.at, what: `${found} instead of ${wanted}` };
  }
}

function closing({ kind }: JsonValue): string {
  return kind === "object" ? "}" : "]";
}
