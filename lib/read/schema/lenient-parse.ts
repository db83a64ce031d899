import type { z } from "zod";

import type { PlainValue } from "./plain-value";

export interface FieldProblem {
  readonly field: string;
  readonly detail: string;
}

export interface LenientParse<T> {
  readonly value: T | null;
  readonly problems: readonly FieldProblem[];
}

const MAX_ROUNDS = 24;

/** Removes and reports invalid optional fields. Modifies `plain`, so pass an unshared copy. */
export function parseLeniently<T>(schema: z.ZodType<T>, plain: PlainValue): LenientParse<T> {
  const problems = new ProblemList();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const result = schema.safeParse(plain);
    if (result.success) return { value: result.data, problems: problems.list() };
    const removal = new Removal(plain);
    for (const { path, message } of result.error.issues) {
      problems.add(path, message);
      if (!removal.remove(path)) return { value: null, problems: problems.list() };
    }
    removal.closeGaps();
  }
  return { value: null, problems: problems.list() };
}

export function lenientParserOf<Document, T>(
  toPlain: (document: Document) => PlainValue,
  schema: z.ZodType<T>,
) {
  return (document: Document): LenientParse<T> => parseLeniently(schema, toPlain(document));
}

class ProblemList {
  private readonly fields = new Set<string>();
  private readonly kinds = new Map<string, { readonly first: FieldProblem; count: number }>();

  add(path: readonly PropertyKey[], detail: string): void {
    const field = path.map(String).join(".");
    // A removed required field is reported again as missing.
    if (this.fields.has(field)) return;
    this.fields.add(field);
    const kind = `${path.map((part) => (typeof part === "number" ? "*" : String(part))).join(".")}\0${detail}`;
    const known = this.kinds.get(kind);
    if (known === undefined) this.kinds.set(kind, { first: { field, detail }, count: 1 });
    else known.count++;
  }

  list(): FieldProblem[] {
    return [...this.kinds.values()].map(({ first: { field, detail }, count }) => ({
      field,
      detail: count === 1 ? detail : `${detail}; the same for ${count - 1} more`,
    }));
  }
}

class Removal {
  private readonly plain: PlainValue;
  /** Removes list entries together: removing one would shift the others. */
  private readonly gaps = new Map<PlainValue[], Set<number>>();

  constructor(plain: PlainValue) {
    this.plain = plain;
  }

  remove(path: readonly PropertyKey[]): boolean {
    for (let length = path.length; length > 0; length--) {
      const parent = followPath(this.plain, path.slice(0, length - 1));
      const key = path[length - 1];
      if (parent === null || typeof parent !== "object" || key === undefined) continue;
      if (Array.isArray(parent)) {
        if (typeof key !== "number" || parent[key] === undefined) continue;
        const gaps = this.gaps.get(parent) ?? new Set();
        this.gaps.set(parent, gaps.add(key));
        return true;
      }
      if (!Object.hasOwn(parent, key)) continue;
      return Reflect.deleteProperty(parent, key);
    }
    return false;
  }

  closeGaps(): void {
    for (const [list, gaps] of this.gaps) {
      const kept = list.filter((_, index) => !gaps.has(index));
      list.length = 0;
      for (const entry of kept) list.push(entry);
    }
  }
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
