import type { ScannerInfo } from "@/lib/core/domain/scanner";
import type { StepSource } from "@/lib/core/domain/trajectory";

/** Step fields in evaluation order. The last match is the evidence. */
export const STEP_FIELDS = ["tool", "files", "reasoning", "message", "arguments", "output"] as const;

export type StepField = (typeof STEP_FIELDS)[number];

export const FILE_FIELDS = ["path", "text"] as const;

export type FileField = (typeof FILE_FIELDS)[number];

export interface Conditions<Field extends string> {
  readonly has: readonly (readonly [Field, RegExp])[];
  readonly not: readonly (readonly [Field, RegExp])[];
}

export interface StepConditions extends Conditions<StepField> {
  readonly role: StepSource | null;
}

/** A call with its output, or a step without calls. Missing fields are empty. */
export interface ScanEvent extends Readonly<Record<StepField, string>> {
  readonly step: string;
  readonly file: string;
  readonly lane: string;
  readonly role: StepSource;
}

export interface StepScanner extends ScannerInfo {
  readonly scope: "steps";
  readonly when: readonly StepConditions[];
  readonly isAtEnd: boolean;
  /** Required number of equal calls with equal output; 1 for any step. All repeats are one match. */
  readonly repeats: number;
}

export interface FileScanner extends ScannerInfo {
  readonly scope: "files";
  readonly when: readonly Conditions<FileField>[];
}

export type Scanner = (StepScanner | FileScanner) & {
  readonly fingerprint: string;
  readonly file: string;
  readonly isOwn: boolean;
};

export interface Example {
  readonly events: readonly ScanEvent[];
  readonly file: { readonly path: string; readonly text: string } | null;
}
