import { dumpPythonJson } from "@/lib/core/scoring";

/**
 * JSON as the Python side writes it: `number` is a Python float (`1.0`), `bigint` a Python int (`1`).
 * Maps keep the order of any keys; plain objects are for fixed field names.
 */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | ReadonlyMap<string, Json>
  | { readonly [key: string]: Json };

function isMap(value: Json): value is ReadonlyMap<string, Json> {
  return value instanceof Map;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function formatScalar(value: null | boolean | number | bigint | string): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "number" ? dumpPythonJson(value) : String(value);
}

function formatBlock(
  parts: readonly string[],
  open: string,
  close: string,
  pad: string,
  inner: string,
): string {
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${pad}${close}`;
}

/**
 * Indented text of a value, laid out like pydantic's `model_dump_json(indent=n)` and Python's `json.dumps(indent=n)`.
 *
 * @param indent - spaces per level
 * @returns text without a final newline
 */
export function formatJson(value: Json, indent = 4, depth = 0): string {
  if (value === null || typeof value !== "object") return formatScalar(value);
  const pad = " ".repeat(indent * depth);
  const inner = " ".repeat(indent * (depth + 1));
  if (isList(value)) {
    return formatBlock(
      value.map((item) => formatJson(item, indent, depth + 1)),
      "[",
      "]",
      pad,
      inner,
    );
  }
  const entries = isMap(value) ? [...value] : Object.entries(value);
  const parts = entries.map(
    ([key, item]) => `${JSON.stringify(key)}: ${formatJson(item, indent, depth + 1)}`,
  );
  return formatBlock(parts, "{", "}", pad, inner);
}

/** A text with slots: given one value for each slot, the filled text. */
export type Template = (values: readonly string[]) => string;

/**
 * A template from a text in which each of `sentinels` marks a slot at every occurrence.
 *
 * @param sentinels - texts that occur nowhere by chance; the values of a fill are in the same order
 */
export function formatTemplate(text: string, sentinels: readonly string[]): Template {
  const pattern = new RegExp(
    sentinels.map((sentinel) => sentinel.replace(/[.+*?^$|()[\]{}\\]/g, "\\$&")).join("|"),
    "g",
  );
  const parts: string[] = [];
  const order: number[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(from, match.index));
    order.push(sentinels.indexOf(match[0]));
    from = match.index + match[0].length;
  }
  const tail = text.slice(from);
  return (values) => {
    let out = "";
    for (let i = 0; i < parts.length; i += 1) out += (parts[i] ?? "") + (values[order[i] ?? 0] ?? "");
    return out + tail;
  };
}
