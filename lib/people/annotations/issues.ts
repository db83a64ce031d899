import type { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { findNameProblem } from "@/lib/core/domain/name-problem";

export function check<T>(schema: z.ZodType<T>, value: unknown) {
  return schema.safeParse(value, { error: (issue) => describeRaw(issue) });
}

/** @param whole - names a problem of no field @param message - by default the first problem */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, whole: string, message?: string): T {
  const parsed = check(schema, value);
  if (parsed.success) return parsed.data;
  const fields = collectFieldMessages(parsed.error, whole);
  throw new ValidationError(message ?? describeFirstIssue(parsed.error), fields);
}

export function refuseHidden(name: string, context: z.RefinementCtx): void {
  const message = findNameProblem(name);
  if (message !== null) context.addIssue({ code: "custom", message });
}

/** Returns the first issue and its field as `field.0.name`; empty for the whole value. */
export function readFirstIssue({ issues }: z.ZodError): { readonly field: string; readonly message: string } {
  const [issue] = issues;
  return { field: issue?.path.map(String).join(".") ?? "", message: issue?.message ?? "It cannot be read." };
}

export function describeFirstIssue(error: z.ZodError): string {
  const { field, message } = readFirstIssue(error);
  return field === "" ? message : `${field}: ${message}`;
}

export function describeFormIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  const isOwn = issue?.code !== "invalid_type" && issue?.code !== "invalid_value";
  return isOwn ? readFirstIssue(error).message : describeFirstIssue(error);
}

function collectFieldMessages(error: z.ZodError, whole: string): Readonly<Record<string, string>> {
  const messages = new Map<string, string>();
  for (const { path, message } of error.issues) {
    const field = typeof path[0] === "string" ? path[0] : whole;
    if (!messages.has(field)) messages.set(field, message);
  }
  return Object.fromEntries(messages);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

function describeRaw(issue: RawIssue): string {
  if (issue.code === "invalid_type") return expect(TYPE_WORDS[issue.expected] ?? issue.expected, issue.input);
  if (issue.code === "invalid_value") return expect(listChoices(issue.values), issue.input);
  if (issue.code === "too_big")
    return `At most ${issue.maximum.toLocaleString("en-US")}${describeUnit(issue.origin)}.`;
  if (issue.code === "too_small" && issue.minimum === 1 && issue.origin === "string") return "It is empty.";
  if (issue.code === "too_small")
    return `At least ${issue.minimum.toLocaleString("en-US")}${describeUnit(issue.origin)}.`;
  if (issue.code === "invalid_union") return "It has no known kind.";
  return "It cannot be read.";
}

function expect(expected: string, input: unknown): string {
  if (input === undefined) return `It is missing. Expected ${expected}.`;
  return `Expected ${expected}, found ${describeValue(input)}.`;
}

function listChoices(values: readonly unknown[]): string {
  const names = values.map((value) => JSON.stringify(String(value)));
  return names.length === 1 ? names.join("") : `one of ${names.join(", ")}`;
}

function describeUnit(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " entries" : "";
}

const LONGEST_SHOWN = 60;

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Uint8Array) return "bytes";
  if (typeof value === "object") return "an object";
  if (typeof value === "string")
    return value.length > LONGEST_SHOWN
      ? `${JSON.stringify(value.slice(0, LONGEST_SHOWN).toWellFormed())} and more`
      : JSON.stringify(value.toWellFormed());
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "something else";
}
