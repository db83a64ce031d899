import type { Strictness } from "./strictness";

/** A JSON value. Numbers are doubles: integers beyond 2**53 are rounded, as JSON.parse rounds them. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

export interface EvaluationIssue {
  /** Keys and positions from the value down to the error; empty for the value as a whole. */
  readonly path: readonly (string | number)[];
  /** pydantic's error type (`missing`, `value_error` ...), or the Python exception that the reference raises. */
  readonly code: string;
  /** In the reference's words. */
  readonly message: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly EvaluationIssue[] };

/** `seed` is the version that the scoring page describes, `head` the newest. */
export type Contract = "seed" | "head";

export interface ParseOptions {
  readonly strictness?: Strictness | undefined;
}

/** Options where the two versions of the contract differ. */
export interface ContractOptions extends ParseOptions {
  /** Default `seed`. `head` refuses a reward above 0 for every invalid output, `seed` only for an unparseable one. */
  readonly contract?: Contract | undefined;
}

/** `defer` means that the reviewer cannot tell. */
export type Judgment = "pass" | "fail" | "defer";

/** Who found an error: the runner, a reviewer, or an automated judge. */
export type ErrorSource = "mechanical" | "human" | "judge";
