import type { Excerpt } from "./excerpt";

/** Folder of users' own scanners, in the data folder. */
export const SCANNER_FOLDER = "scanners";

export const SCANNER_SEVERITIES = ["high", "medium", "low"] as const;

export type ScannerSeverity = (typeof SCANNER_SEVERITIES)[number];

const SCANNER_SCOPES = ["steps", "files"] as const;

export type ScannerScope = (typeof SCANNER_SCOPES)[number];

export interface ScannerInfo {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly meaning: string;
  readonly category: string;
  readonly severity: ScannerSeverity;
  readonly scope: ScannerScope;
}

export type ScanExtent = "steps" | "files" | "none";

export interface ScanPlace extends Excerpt {
  readonly file: string;
  readonly line: number | null;
  readonly step: string | null;
}

export interface ScanResult {
  readonly scanner: string;
  readonly version: number;
  /** 0 only if the scanner was stopped before it found one. */
  readonly nPlaces: number;
  readonly places: readonly ScanPlace[];
  readonly stopped: string | null;
}
