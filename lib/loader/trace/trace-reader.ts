import type { JsonObject } from "../detail/json-shape";
import type { RawTrajectory } from "./raw-trajectory";

/** The beginning of a file, by which its format is told. */
export interface TraceHead {
  /** Relative to the trial folder, with `/`. */
  readonly file: string;
  /** Its first 256 KiB as text. */
  readonly text: string;
  /** Outermost keys of the JSON object that it is, as far as they stand in the beginning; none for anything else. */
  readonly keys: ReadonlySet<string>;
  /** Objects of lines of their own; of a list of objects those of the beginning. */
  readonly records: readonly JsonObject[];
  /** Lines among them that are no JSON. */
  readonly nTexts: number;
  readonly isList: boolean;
}

export interface TraceLog {
  readonly file: string;
  readonly text: string;
  /** The JSON value that it is; undefined for JSON Lines and for text. */
  readonly value: unknown;
  /** The values of its lines; none where it is one JSON value. Lines that are no JSON are left out and counted. */
  readonly records: readonly unknown[];
  /** Ids of records that files of the same trace have which were read before: a session that was resumed begins with them. */
  readonly seen: Set<string>;
  /** Another file of the trial, null when it is not there or cannot be read; named among what was read. */
  readonly read: (file: string) => Promise<string | null>;
  readonly files: readonly string[];
}

export interface TraceReader {
  readonly format: string;
  /** What it never states, as the end of "This format does not record …"; null when it may state everything. */
  readonly lacks: string | null;
  /** How its files hold it: one JSON value, a value a line, or text. */
  readonly holds: "value" | "lines" | "text";
  /** Whether several files beside one another are one trace, such as the sessions of one run. */
  readonly isSession?: boolean;
  /** Another way to show what the same files hold. */
  readonly alternative?: TraceReader;
  /** Tells the format by content; what stands in the name of a file is nothing to go by. */
  readonly recognise: (head: TraceHead) => boolean;
  /** @returns null when it is not of this format after all */
  readonly parse: (log: TraceLog) => RawTrajectory | Promise<RawTrajectory> | null;
}
