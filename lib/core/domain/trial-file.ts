import type { LoadIssue } from "./load-issue";

/** Links are listed but never followed out of the folder. */
export interface TrialFileEntry {
  /** Relative to the trial folder, with `/`; of a garbled name only for display. */
  readonly path: string;
  /** `garbled`: its name is not text, so nothing can open it. */
  readonly kind: "file" | "folder" | "link" | "garbled" | "other";
  readonly sizeBytes: number | null;
  readonly depth: number;
}

export interface TrialFileList {
  readonly entries: readonly TrialFileEntry[];
  readonly cutNote: string | null;
  readonly issues: readonly LoadIssue[];
}

export type TextTone = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "dim";

/** Always plain text. */
export interface TextSpan {
  readonly text: string;
  readonly tone: TextTone | null;
  readonly strong: boolean;
}

export type TextLine = string | readonly TextSpan[];

/** Some lines of a text that is safe to display. */
export interface TextBlock {
  readonly lines: readonly TextLine[];
  readonly totalLines: number;
  readonly cutNote: string | null;
  readonly hasCutLines: boolean;
}

/** Detected by their first bytes. SVG is text and is never displayed as an image. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export interface TestCase {
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped" | "pending" | "other";
  readonly durationMs: number | null;
  readonly message: string | null;
  readonly trace: string | null;
}

/** `checks`: a list of named checks. `text`: runner output, which may be incomplete or wrong. */
type TestReportForm = "ctrf" | "junit" | "checks" | "text";

export interface TestReport {
  readonly file: string;
  readonly step: string | null;
  readonly form: TestReportForm;
  readonly tool: string | null;
  /** True if the trial's totals include it; others repeat or add to those that do. */
  readonly isCounted: boolean;
  /** Failed ones first. Fewer than the counts if a page could not hold all, or a text does not name them. */
  readonly tests: readonly TestCase[];
  readonly nTests: number | null;
  readonly nPassed: number | null;
  /** Includes tests that ended in an error. */
  readonly nFailed: number | null;
}

export interface TrialAnalysis {
  readonly summary: string | null;
  readonly checks: readonly {
    readonly name: string;
    readonly outcome: "pass" | "fail" | "not_applicable" | "other";
    readonly explanation: string | null;
  }[];
  readonly nChecks: number;
}

export interface ArtifactEntry {
  readonly source: string | null;
  readonly destination: string | null;
  readonly type: string | null;
  readonly status: string | null;
  readonly service: string | null;
  readonly exclude: string | null;
}

export interface ArtifactManifest {
  readonly file: string;
  readonly entries: readonly ArtifactEntry[];
}

export interface EarlierAttempt {
  readonly name: string;
  readonly outcome: string | null;
}
