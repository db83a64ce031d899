import { z } from "zod";

import { Fault } from "./fault";
import { isJsonObject } from "./json-input";
import type { EvaluationIssue, Parsed } from "./types";

/** The schema of one field: its input is the JSON value, or undefined where the key is absent. */
export type Field<T> = z.ZodType<T>;

export function fieldOf<T>(read: (value: unknown) => T | Fault): Field<T> {
  return z.transform((value: unknown, context): T => {
    const result = read(value);
    if (!(result instanceof Fault)) return result;
    context.issues.push(toIssue(result, value));
    return z.NEVER;
  });
}

function toIssue({ code, message }: Fault, input: unknown): z.core.$ZodRawIssue {
  return { code: "custom", input, message, params: { type: code } };
}

export function required<T>(field: Field<T>): Field<T> {
  return fieldOf<unknown>((value) =>
    value === undefined ? new Fault("missing", "Field required") : value,
  ).pipe(field);
}

/** An absent field reads like `fallback`; null is not absent. */
export function withDefault<T>(field: Field<T>, fallback: T): Field<T> {
  return z.transform((value: unknown): unknown => (value === undefined ? fallback : value)).pipe(field);
}

/** A null field and an absent one are the same. */
export function orNull<T>(field: Field<T>): Field<T | null> {
  return z.transform((value: unknown): unknown => value ?? null).pipe(z.nullable(field));
}

/** A list; `type` is pydantic's error type for anything else. */
export function listOf<T>(item: Field<T>, type: "list_type" | "tuple_type" = "list_type"): Field<T[]> {
  return fieldOf<unknown>((value) =>
    Array.isArray(value) ? value : new Fault(type, "Input should be a valid array"),
  ).pipe(z.array(item));
}

/** Case-sensitive. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Field<Word> {
  const quoted = words.map((word) => `'${word}'`);
  const message = `Input should be ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1) ?? ""}`;
  return fieldOf((value) => words.find((word) => word === value) ?? new Fault("enum", message));
}

/** An object with exactly these keys. */
export function modelOf<T extends z.ZodRawShape>(shape: T): Field<z.output<z.ZodObject<T>>> {
  return fieldOf<unknown>((value) =>
    isJsonObject(value) ? value : new Fault("model_type", "Input should be an object"),
  ).pipe(z.strictObject(shape));
}

/** Adds a rule about several fields, checked only when every field is valid. */
export function withRule<T>(model: Field<T>, findFault: (value: T) => string | null): Field<T> {
  return model.transform((value, context): T => {
    // Zod continues after an unknown key; pydantic does not.
    const message = context.issues.length === 0 ? findFault(value) : null;
    if (message === null) return value;
    context.issues.push(toIssue(new Fault("value_error", `Value error, ${message}`), value));
    return z.NEVER;
  });
}

/** Runs a schema; unknown keys come first in its issues, as in the reference. */
export function runSchema<T>(schema: Field<T>, value: unknown): Parsed<T> {
  try {
    const result = schema.safeParse(value);
    return result.success
      ? { ok: true, value: result.data }
      : { ok: false, issues: listIssues(result.error.issues) };
  } catch {
    // Zod passes issues on as arguments of one call, and an engine accepts some hundred thousand of them.
    return {
      ok: false,
      issues: [{ path: [], code: "too_many_issues", message: "Input has too many faults to list" }],
    };
  }
}

function listIssues(raw: readonly z.core.$ZodIssue[]): EvaluationIssue[] {
  const issues: EvaluationIssue[] = [];
  for (const issue of raw) {
    const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
    if (issue.code !== "unrecognized_keys") {
      issues.push({ path, code: getCode(issue), message: issue.message });
      continue;
    }
    // The issues of the same object are the last ones so far.
    let first = issues.length;
    while (first > 0 && path.every((key, index) => issues[first - 1]?.path[index] === key)) first--;
    const own = issues.splice(first);
    for (const key of issue.keys) {
      issues.push({
        path: [...path, key],
        code: "extra_forbidden",
        message: "Extra inputs are not permitted",
      });
    }
    for (const other of own) issues.push(other);
  }
  return issues;
}

function getCode(issue: z.core.$ZodIssue): string {
  const type: unknown = issue.code === "custom" ? issue.params?.["type"] : undefined;
  return typeof type === "string" ? type : issue.code;
}
