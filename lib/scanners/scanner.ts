import type { ScannerInfo } from "@/lib/domain/scanner";
import type { StepSource } from "@/lib/domain/trajectory";

/** What conditions on a step can ask about, in the order in which they are asked: where the last one matches is the evidence. */
export const STEP_FIELDS = ["tool", "files", "reasoning", "message", "arguments", "output"] as const;

export type StepField = (typeof STEP_FIELDS)[number];

/** What conditions on a file can ask about; its text line by line. */
export const FILE_FIELDS = ["path", "text"] as const;

export type FileField = (typeof FILE_FIELDS)[number];

/** Regular expressions by what they are about: all of `has` match and none of `not`. */
export interface Conditions<Field extends string> {
  readonly has: readonly (readonly [Field, string])[];
  readonly not: readonly (readonly [Field, string])[];
}

export interface StepConditions extends Conditions<StepField> {
  /** Who the step is of; null for anybody. */
  readonly role: StepSource | null;
}

/** A call of a step with what came back, or a step without a call. A field that it has nothing for is empty. */
export interface ScanEvent extends Readonly<Record<StepField, string>> {
  readonly step: string;
  readonly file: string;
  readonly lane: string;
  readonly role: StepSource;
}

/** Conditions on steps; any of `when` is enough. */
export interface StepScanner extends ScannerInfo {
  readonly scope: "steps";
  readonly when: readonly StepConditions[];
  /** Whether only the agent's last step is looked at. */
  readonly isAtEnd: boolean;
  /** How many times in all the same call must get the same output, which is then one place; 1 for any step. */
  readonly repeats: number;
}

/** Conditions on files; any of `when` is enough. */
export interface FileScanner extends ScannerInfo {
  readonly scope: "files";
  readonly when: readonly Conditions<FileField>[];
}

export type Scanner = (StepScanner | FileScanner) & {
  /** Equal for files of the same text. */
  readonly fingerprint: string;
  readonly file: string;
  readonly isOwn: boolean;
};

export interface Example {
  readonly events: readonly ScanEvent[];
  readonly file: { readonly path: string; readonly text: string } | null;
}
