import type { LoadIssue } from "./load-issue";

/** An entry of a trial folder. Links are listed and never followed out of the folder. */
export interface TrialFileEntry {
  /** Relative to the trial folder, with `/`; of a garbled name for people alone. */
  readonly path: string;
  /** `garbled`: its name is no text, so that nothing can open it. */
  readonly kind: "file" | "folder" | "link" | "garbled" | "other";
  /** Bytes of a file; null otherwise and when it cannot be read. */
  readonly sizeBytes: number | null;
  readonly depth: number;
}

/** A trial's files in path order, folders before what they hold. */
export interface TrialFileList {
  readonly entries: readonly TrialFileEntry[];
  /** What was left out and why, in words; null when all is listed. */
  readonly cutNote: string | null;
  readonly issues: readonly LoadIssue[];
}

/** Text colours that a terminal escape may ask for; names, not colours, so that a theme decides. */
export type TextTone = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "dim";

/** A run of characters of one look. Always plain text. */
export interface TextSpan {
  readonly text: string;
  readonly tone: TextTone | null;
  readonly strong: boolean;
}

/** One line without its line break: a string when it has no styling. */
export type TextLine = string | readonly TextSpan[];

/** Some lines of a text that is safe to show. */
export interface TextBlock {
  readonly lines: readonly TextLine[];
  /** Lines of the whole text; at least `lines.length`. */
  readonly totalLines: number;
  /** Why not all is shown, in words; null when it is. */
  readonly cutNote: string | null;
  /** Whether a line is longer than what is shown of it. */
  readonly hasCutLines: boolean;
}

/** Image types that are shown, known by their first bytes. SVG is text and is never shown as an image. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export interface TestCase {
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped" | "pending" | "other";
  /** Milliseconds; null when not stated. */
  readonly durationMs: number | null;
  readonly message: string | null;
  readonly trace: string | null;
}

/** What tests stand in: CTRF, JUnit XML, a list of named checks, or what a runner printed, which may be incomplete or wrong. */
export type TestReportForm = "ctrf" | "junit" | "checks" | "text";

/** A report of tests, failed ones first in file order, then the others in file order. */
export interface TestReport {
  readonly file: string;
  readonly step: string | null;
  readonly form: TestReportForm;
  readonly tool: string | null;
  /** Whether the trial's totals include it; others repeat or add to those that do. */
  readonly isCounted: boolean;
  /** Failed ones first; fewer than the counts say where a page could not hold them all, or a text does not name them. */
  readonly tests: readonly TestCase[];
  /** Null, as the two others, where a text names tests and states no totals. */
  readonly nTests: number | null;
  readonly nPassed: number | null;
  /** Failed ones and those that ended in an error. */
  readonly nFailed: number | null;
}

export interface TrialAnalysis {
  readonly summary: string | null;
  readonly checks: readonly {
    readonly name: string;
    readonly outcome: "pass" | "fail" | "not_applicable" | "other";
    readonly explanation: string | null;
  }[];
  /** Checks of the file, also where fewer are listed. */
  readonly nChecks: number;
}

export interface ArtifactEntry {
  readonly source: string | null;
  readonly destination: string | null;
  readonly type: string | null;
  readonly status: string | null;
  /** Of the service that it was collected from, where a task has several. */
  readonly service: string | null;
  /** Patterns that were left out, empty for none; null where that was not recorded. */
  readonly exclude: string | null;
}

/** What was collected from the environment of a trial, or of one of its steps. */
export interface ArtifactManifest {
  /** The manifest, relative to the trial folder. */
  readonly file: string;
  readonly entries: readonly ArtifactEntry[];
}

/** An attempt at a trial before the last one. */
export interface EarlierAttempt {
  /** Name of its folder, such as `retry-1`. */
  readonly name: string;
  /** What ended it, or its rewards, in a few words; null where its result says neither. */
  readonly outcome: string | null;
}
