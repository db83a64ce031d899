import type { JsonObject } from "../detail/json-shape";
import type { RawTrajectory } from "./raw-trajectory";

export interface TraceHead {
  readonly file: string;
  readonly text: string;
  readonly keys: ReadonlySet<string>;
  readonly records: readonly JsonObject[];
  readonly nTexts: number;
  readonly isList: boolean;
}

export interface TraceLog {
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
  readonly records: readonly unknown[];
  /** Record ids from earlier files of the trace: a resumed session repeats them. */
  readonly seen: Set<string>;
  readonly read: (file: string) => Promise<string | null>;
  readonly files: readonly string[];
}

export interface TraceReader {
  readonly format: string;
  /** Completes "This format does not record …"; null if nothing is missing. */
  readonly lacks: string | null;
  readonly holds: "value" | "lines" | "text";
  readonly isSession?: boolean;
  readonly alternative?: TraceReader;
  /** Detects the format by content; file names are unreliable. */
  readonly recognise: (head: TraceHead) => boolean;
  /** @returns null if the format does not match after all */
  readonly parse: (log: TraceLog) => RawTrajectory | Promise<RawTrajectory> | null;
}
