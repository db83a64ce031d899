/**
 * One and the same short run, in every format that is read: the user asks for a wheel, the agent thinks, lists the folder
 * (`setup.py`), runs a build that fails with exit 2 where the format states codes, and says "It is built.".
 */
export type Lines = readonly (object | string)[];

export const PROMPT = "Fix the wheel.";
export const THOUGHT = "The folder first.";
export const ANSWER = "It is built.";
export const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
export const lines = (...records: Lines) =>
  `${records.map((record) => (typeof record === "string" ? record : JSON.stringify(record))).join("\n")}\n`;

/** A format with its files. */
export interface TraceSample {
  readonly format: string;
  readonly files: Readonly<Record<string, string>>;
  /** Tokens of a step that records any; 12 unless the format omits some. */
  readonly tokens?: number;
  /** Facts of the run that this format omits. */
  readonly without: readonly ("prompt" | "thought" | "times" | "tokens" | "failure" | "calls")[];
}
