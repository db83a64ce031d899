import type { ClockTime } from "./clock-time";
import type { LoadIssue } from "./load-issue";
import type { RecordedStop } from "./stop-reason";
import type { ImageType } from "./trial-file";

/** Who a step comes from. `other` is any source that ATIF does not define. */
export const STEP_SOURCES = ["system", "user", "agent", "other"] as const;

export type StepSource = (typeof STEP_SOURCES)[number];

/** What steps can be asked to have, for only those to be listed: an error, or what is looked for. */
export const STEP_CONDITIONS = ["errors", "matches"] as const;

export type StepCondition = (typeof STEP_CONDITIONS)[number];

/** Keys of the first and the last of some steps on end. */
export type StepRange = readonly [first: string, last: string];

/** An image that is written out in a trace; its first bytes prove its type. */
export interface EmbeddedImage {
  readonly base64: string;
  readonly type: ImageType;
  readonly sizeBytes: number;
}

/** A piece of a message or of an observation, in the order of the file. */
export type ContentPart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "image";
      /** Relative to the trial folder with `/`; null for an embedded one, and where `note` says why it is not shown. */
      readonly path: string | null;
      readonly note: string | null;
      readonly embedded: EmbeddedImage | null;
    }
  | {
      readonly kind: "audio";
      /** Relative to the trial folder with `/`; null where `note` says why it is not played. */
      readonly path: string | null;
      readonly note: string | null;
      /** As stated. */
      readonly durationSec: number | null;
    };

/** A sign that something went wrong in a step: stated by a field, or read out of output text, which can be wrong. */
export interface StepMark {
  readonly kind: "exit" | "tool-error" | "traceback" | "tests-failed";
  /** Few words, such as `exit 1` or `2 failed`. */
  readonly label: string;
  readonly stated: boolean;
}

/** What came back to an agent: for one call, or for the whole step when it names no call. */
export interface StepResult {
  readonly parts: readonly ContentPart[];
  /** Lanes of the subagents that this result refers to. */
  readonly lanes: readonly string[];
}

/** One tool call with the results that name it. */
export interface StepCall {
  readonly id: string | null;
  readonly name: string;
  /** The argument that says most, on one line, such as the command or the file; empty when there is none. */
  readonly headline: string;
  /** All arguments: the command or text itself, else `name: value` lines with JSON for values that are no text. */
  readonly argumentsText: string;
  /** Arguments beside a command or an edit, one a line, such as a folder or a time limit; empty when there are none. */
  readonly otherArguments: string;
  /** Paths of files that its arguments name, as written; which files a command touches is not stated. */
  readonly files: readonly string[];
  /** All arguments as JSON where some of them are objects or lists; null otherwise. */
  readonly argumentsJson: string | null;
  /** Texts replaced and written by an edit; null when the call is not an edit. */
  readonly edit: { readonly before: string; readonly after: string } | null;
  readonly results: readonly StepResult[];
}

/** What one step took, each null when not stated. */
export interface StepUsage {
  /** All that the model was given, what was read from a cache included: the size of its context. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

/** More than any model takes, and few enough to be added up and drawn. */
const MAX_AMOUNT = 1e15;

/** Null where nothing is stated; an amount that nothing can have taken is unknown. */
export function makeUsage({ inputTokens, outputTokens, costUsd }: StepUsage): StepUsage | null {
  const [input, output, cost] = [inputTokens, outputTokens, costUsd].map((amount) =>
    amount !== null && amount >= 0 && amount <= MAX_AMOUNT ? amount : null,
  );
  const usage = { inputTokens: input ?? null, outputTokens: output ?? null, costUsd: cost ?? null };
  return Object.values(usage).every((amount) => amount === null) ? null : usage;
}

/** In an address, in place of the names of all subagents. */
export const ALL_LANES = "*";

export interface TrajectoryStep {
  /** Address in links: the ordinal within the main lane (`12`), or lane and ordinal (`explore.3`). Unique. */
  readonly key: string;
  /** 0-based position among all rows, subagents included. */
  readonly index: number;
  /** `step_id` as the file states it, when it differs from the ordinal in `key`; else null. */
  readonly statedId: string | null;
  /** `main`, or the subagent's name, made unique. */
  readonly lane: string;
  /** 0 for the main lane, 1 for its subagents, and so on. */
  readonly depth: number;
  /** Step of a multi-step trial that this belongs to; null otherwise. */
  readonly phase: string | null;
  /** File relative to the trial folder. */
  readonly file: string;
  readonly source: StepSource;
  readonly at: ClockTime | null;
  /** Milliseconds until the next step of the same file; null for the last one and where times are missing. */
  readonly durationMs: number | null;
  readonly reasoning: string | null;
  readonly message: readonly ContentPart[];
  readonly calls: readonly StepCall[];
  /** Results that name no call of this step. */
  readonly results: readonly StepResult[];
  /** What the model that wrote it took; null when nothing is stated. */
  readonly usage: StepUsage | null;
  readonly marks: readonly StepMark[];
  /** Copied from an earlier context, so not done again by the agent. */
  readonly copied: boolean;
}

export interface OutlineEntry {
  readonly key: string;
  readonly index: number;
  readonly title: string;
  /** True when the step carries a mark. */
  readonly marked: boolean;
}

export type OutlineStep = Pick<OutlineEntry, "key" | "title" | "marked">;

/** One of the forms in which a trial's trajectory lies in its folder. */
export interface TraceSource {
  /** By what it is named in an address: its first file, with a sign behind it for another way to show the same; unique. */
  readonly path: string;
  /** Its first file, relative to the trial folder. */
  readonly file: string;
  /** What the format is called, such as `ATIF`. */
  readonly format: string;
  /** What the format never states, as the end of "This format does not record …"; null when it may state everything. */
  readonly lacks: string | null;
}

/** A whole trajectory, flat: a subagent's rows follow the row that started it. */
export interface Trajectory {
  readonly steps: readonly TrajectoryStep[];
  /** At most 14 entries. */
  readonly outline: readonly OutlineEntry[];
  /** Index to open at: the first step that failed, else the agent's last, else null (no steps). */
  readonly landing: number | null;
  /** Why the main agent stopped before it was done; null where it ended as planned or nothing is recorded. */
  readonly stop: RecordedStop | null;
  /** Files that were read, relative to the trial folder. Empty when the trial has no trajectory. */
  readonly files: readonly string[];
  /** See `TrialFingerprint.trajectory`. */
  readonly digest: string | null;
  readonly issues: readonly LoadIssue[];
  /** Everything that could be shown, the richest first. */
  readonly sources: readonly TraceSource[];
  /** `path` of the source that is shown; null when there is none. */
  readonly source: string | null;
  /** What was left out of it and is no fault, in sentences. */
  readonly notes: readonly string[];
  /** Files that were looked at and are of no known format, with what they are. */
  readonly unknown: readonly { readonly path: string; readonly reason: string }[];
}

/** Every text of a step, in the order of its page: what it thinks, says, calls and gets back. */
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

/** The images that are written out in a step, in the order of its page. */
export function listEmbeddedImages({ message, calls, results }: TrajectoryStep): readonly EmbeddedImage[] {
  const all = [...calls.flatMap((call) => call.results), ...results].flatMap(({ parts }) => parts);
  return [...message, ...all].flatMap((part) => (part.kind === "image" ? (part.embedded ?? []) : []));
}

function* listResultTexts({ parts }: StepResult): Generator<string> {
  for (const part of parts) if (part.kind === "text") yield part.text;
}
