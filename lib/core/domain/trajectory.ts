import type { ClockTime } from "./clock-time";
import type { LoadIssue } from "./load-issue";
import type { RecordedStop } from "./stop-reason";
import type { ImageType } from "./trial-file";

/** `other` is any source that ATIF does not define. */
export const STEP_SOURCES = ["system", "user", "agent", "other"] as const;

export type StepSource = (typeof STEP_SOURCES)[number];

export const STEP_CONDITIONS = ["errors", "matches"] as const;

export type StepCondition = (typeof STEP_CONDITIONS)[number];

export type StepRange = readonly [first: string, last: string];

/** An image embedded in a trace; its first bytes prove its type. */
export interface EmbeddedImage {
  readonly base64: string;
  readonly type: ImageType;
  readonly sizeBytes: number;
}

export type ContentPart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "image";
      /** Relative to the trial folder with `/`; null if it is embedded, or if `note` says why it is not displayed. */
      readonly path: string | null;
      readonly note: string | null;
      readonly embedded: EmbeddedImage | null;
    }
  | {
      readonly kind: "audio";
      readonly path: string | null;
      readonly note: string | null;
      readonly durationSec: number | null;
    };

export interface StepMark {
  readonly kind: "exit" | "tool-error" | "traceback" | "tests-failed";
  readonly label: string;
  readonly stated: boolean;
}

export interface StepResult {
  readonly parts: readonly ContentPart[];
  readonly lanes: readonly string[];
}

export interface StepCall {
  readonly id: string | null;
  readonly name: string;
  readonly headline: string;
  /** All arguments: the command or text itself, else `name: value` lines with JSON for values that are not text. */
  readonly argumentsText: string;
  readonly otherArguments: string;
  /** File paths in its arguments, as written; files that a command touches are not recorded. */
  readonly files: readonly string[];
  readonly argumentsJson: string | null;
  readonly edit: { readonly before: string; readonly after: string } | null;
  readonly results: readonly StepResult[];
}

export interface StepUsage {
  /** Everything that the model was given, including cached input: the size of its context. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

/** More than any model uses, and small enough to add up and draw. */
const MAX_AMOUNT = 1e15;

/** Returns null if nothing is recorded; an impossible amount is unknown. */
export function makeUsage({ inputTokens, outputTokens, costUsd }: StepUsage): StepUsage | null {
  const [input, output, cost] = [inputTokens, outputTokens, costUsd].map((amount) =>
    amount !== null && amount >= 0 && amount <= MAX_AMOUNT ? amount : null,
  );
  const usage = { inputTokens: input ?? null, outputTokens: output ?? null, costUsd: cost ?? null };
  return Object.values(usage).every((amount) => amount === null) ? null : usage;
}

export const ALL_LANES = "*";

export interface TrajectoryStep {
  /** Address in links: the ordinal within the main lane (`12`), or lane and ordinal (`explore.3`). Unique. */
  readonly key: string;
  readonly index: number;
  /** `step_id` in the file, if it differs from the ordinal in `key`. */
  readonly statedId: string | null;
  readonly lane: string;
  readonly depth: number;
  readonly phase: string | null;
  readonly file: string;
  readonly source: StepSource;
  readonly at: ClockTime | null;
  /** Milliseconds to the next step of the same file; null for the last one and if times are missing. */
  readonly durationMs: number | null;
  readonly reasoning: string | null;
  readonly message: readonly ContentPart[];
  readonly calls: readonly StepCall[];
  readonly results: readonly StepResult[];
  readonly usage: StepUsage | null;
  readonly marks: readonly StepMark[];
  readonly copied: boolean;
}

export interface OutlineEntry {
  readonly key: string;
  readonly index: number;
  readonly title: string;
  readonly marked: boolean;
}

export type OutlineStep = Pick<OutlineEntry, "key" | "title" | "marked">;

export interface TraceSource {
  /** Name in an address: its first file, with a sign after it for another way to show the same; unique. */
  readonly path: string;
  readonly file: string;
  readonly format: string;
  /** Facts that the format never records, as the end of "This format does not record …"; null if it may record everything. */
  readonly lacks: string | null;
}

export interface Trajectory {
  readonly steps: readonly TrajectoryStep[];
  readonly outline: readonly OutlineEntry[];
  /** Index to open at: the first step that failed, else the agent's last; null without steps. */
  readonly landing: number | null;
  readonly stop: RecordedStop | null;
  readonly files: readonly string[];
  readonly digest: string | null;
  readonly issues: readonly LoadIssue[];
  readonly sources: readonly TraceSource[];
  readonly source: string | null;
  readonly notes: readonly string[];
  readonly unknown: readonly { readonly path: string; readonly reason: string }[];
}

export function* listStepTexts({ reasoning, message, calls, results }: TrajectoryStep): Generator<string> {
  if (reasoning !== null) yield reasoning;
  for (const part of message) if (part.kind === "text") yield part.text;
  for (const call of calls) {
    yield call.name;
    if (call.edit === null) yield call.argumentsText || call.headline;
    else yield* [call.headline, call.edit.before, call.edit.after];
    if (call.otherArguments !== "") yield call.otherArguments;
    for (const result of call.results) yield* listResultTexts(result);
  }
  for (const result of results) yield* listResultTexts(result);
}

export function listEmbeddedImages({ message, calls, results }: TrajectoryStep): readonly EmbeddedImage[] {
  const all = [...calls.flatMap((call) => call.results), ...results].flatMap(({ parts }) => parts);
  return [...message, ...all].flatMap((part) => (part.kind === "image" ? (part.embedded ?? []) : []));
}

function* listResultTexts({ parts }: StepResult): Generator<string> {
  for (const part of parts) if (part.kind === "text") yield part.text;
}

/** A step cited in prose, such as "trajectory step 4"; the second group is its number. */
export const STEP_WORDS = /\b((?:trajectory )?steps? (\d{1,6}))\b/;
