import type { JsonObject } from "../detail/json-shape";
import type { RawTrajectory } from "./raw-trajectory";

export interface TraceHead {
  /** Relative to the trial folder, with `/`. */
  readonly file: string;
  /** First 256 KiB as text. */
  readonly text: string;
  /** Top-level keys of a JSON object, as far as the head contains them. */
  readonly keys: ReadonlySet<string>;
  /** Objects from JSON Lines, or from the start of a list. */
  readonly records: readonly JsonObject[];
  /** Lines that are not JSON. */
  readonly nTexts: number;
  readonly isList: boolean;
}

export interface TraceLog {
  readonly file: string;
  readonly text: string;
  /** The parsed JSON value; undefined for JSON Lines and text. */
  readonly value: unknown;
  /** Values of JSON Lines; empty for a single JSON value. Invalid lines are skipped and counted. */
  readonly records: readonly unknown[];
  /** Record ids from earlier files of the trace: a resumed session repeats them. */
  readonly seen: Set<string>;
  /** Reads another file of the trial and records it; null if absent or unreadable. */
  readonly read: (file: string) => Promise<string | null>;
  readonly files: readonly string[];
}

export interface TraceReader {
  readonly format: string;
  /** Completes "This format does not record …"; null if nothing is missing. */
  readonly lacks: string | null;
  readonly holds: "value" | "lines" | "text";
  /** True if adjacent files form one trace, such as the sessions of a run. */
  readonly isSession?: boolean;
  readonly alternative?: TraceReader;
  /** Detects the format by content; file names are unreliable. */
  readonly recognise: (head: TraceHead) => boolean;
  /** @returns null if the format does not match after all */
  readonly parse: (log: TraceLog) => RawTrajectory | Promise<RawTrajectory> | null;
}
