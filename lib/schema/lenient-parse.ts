import type { z } from "zod";

import type { PlainValue } from "./plain-value";

/** A field that a schema refuses: where it is and what is wrong, for a `field_invalid` issue. */
export interface FieldProblem {
  /** Dotted path such as `agent_result.cost_usd`. */
  readonly field: string;
  readonly detail: string;
}

/** What {@link parseLeniently} gives. */
export interface LenientParse<T> {
  /** Null when a required field is missing or wrong. */
  readonly value: T | null;
  readonly problems: readonly FieldProblem[];
}

const MAX_ROUNDS = 24;

/**
 * Parses `plain` so that one bad optional field costs only itself: it is taken out and reported, and the rest is kept.
 *
 * Takes fields out of `plain` itself, so pass a view that nobody else holds.
 */
export function parseLeniently<T>(schema: z.ZodType<T>, plain: PlainValue): LenientParse<T> {
  const problems: FieldProblem[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const result = schema.safeParse(plain);
    if (result.success) return { value: result.data, problems };
    for (const { path, message } of result.error.issues) {
      const field = path.map(String).join(".");
      if (!problems.some((problem) => problem.field === field)) problems.push({ field, detail: message });
      if (!removeField(plain, path)) return { value: null, problems };
    }
  }
  return { value: null, problems };
}

/** Removes the field at `path`, or the nearest one above it that is there; false when that is the whole document. */
function removeField(plain: PlainValue, path: readonly PropertyKey[]): boolean {
  for (let length = path.length; length > 0; length--) {
    const parent = followPath(plain, path.slice(0, length - 1));
    const key = path[length - 1];
    if (parent === null || typeof parent !== "object" || key === undefined) continue;
    if (Array.isArray(parent)) {
      if (typeof key !== "number" || parent[key] === undefined) continue;
      parent.splice(key, 1);
      return true;
    }
    if (!Object.hasOwn(parent, key)) continue;
    return Reflect.deleteProperty(parent, key);
  }
  return false;
}

function followPath(plain: PlainValue, path: readonly PropertyKey[]): PlainValue {
  let at: PlainValue | undefined = plain;
  for (const key of path) {
    if (at === null || typeof at !== "object") return null;
    at = Array.isArray(at) ? at[Number(key)] : at[String(key)];
    if (at === undefined) return null;
  }
  return at;
}
