import type { Excerpt } from "./excerpt";

/** How much a hit of a scanner matters, the most first. */
export const SCANNER_SEVERITIES = ["high", "medium", "low"] as const;

export type ScannerSeverity = (typeof SCANNER_SEVERITIES)[number];

/** What a scanner looks through: what the agent did step by step, or the files of the trial. */
export const SCANNER_SCOPES = ["steps", "files"] as const;

export type ScannerScope = (typeof SCANNER_SCOPES)[number];

/** What a scanner says of itself. */
export interface ScannerInfo {
  /** Lower-case letters, digits and hyphens. */
  readonly id: string;
  /** From 1. */
  readonly version: number;
  readonly title: string;
  /** What a hit means, in one or two sentences. */
  readonly meaning: string;
  readonly category: string;
  readonly severity: ScannerSeverity;
  readonly scope: ScannerScope;
}

/** What scanners could look through of a trial: its steps and its files, its files since it has no trajectory, or nothing. */
export type ScanExtent = "steps" | "files" | "none";

export interface ScanPlace extends Excerpt {
  /** Relative to the trial's folder. */
  readonly file: string;
  /** From 1; null for a step, and where a file has no line that matches. */
  readonly line: number | null;
  /** Key of the step; null for a file. */
  readonly step: string | null;
}

/** What a scanner found in one trial, or that it was stopped there. */
export interface ScanResult {
  readonly scanner: string;
  readonly version: number;
  /** All places; 0 only where it was stopped before it found one. */
  readonly nPlaces: number;
  /** The first of them. */
  readonly places: readonly ScanPlace[];
  /** Why it did not look through everything, as a sentence; null when it did. */
  readonly stopped: string | null;
}
