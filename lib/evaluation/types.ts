import type { Strictness } from "./strictness";

/** A value of JSON. Numbers are doubles: integers beyond 2**53 are rounded, as JSON.parse rounds them. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** One reason why a value is not what the contract asks for. */
export interface EvaluationIssue {
  /** Keys and positions from the value down to what is wrong; empty for the value as a whole. */
  readonly path: readonly (string | number)[];
  /** pydantic's type of the error (`missing`, `value_error` ...), or the Python exception that the reference raises. */
  readonly code: string;
  /** The reference's own words. */
  readonly message: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly EvaluationIssue[] };

/** The version of the contract: the one that the scoring page describes, or the newest. */
export type Contract = "seed" | "head";

export interface ParseOptions {
  readonly strictness?: Strictness | undefined;
}

/** Options where the two versions of the contract differ. */
export interface ContractOptions extends ParseOptions {
  /** Default `seed`. `head` refuses a reward above 0 for every invalid output, `seed` only for an unparseable one. */
  readonly contract?: Contract | undefined;
}

/** A reviewer's verdict; `defer` says that the reviewer cannot tell. */
export type Judgment = "pass" | "fail" | "defer";

/** Who found an error: the runner, a reviewer, or an automated judge. */
export type ErrorSource = "mechanical" | "human" | "judge";
