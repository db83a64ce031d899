import type { Breakdown } from "@/lib/domain/breakdown";
import type { LoadIssue } from "@/lib/domain/load-issue";
import { TextBounder } from "@/lib/domain/text-bounder";
import type { ErrorTag } from "@/lib/domain/trial";
import type { TestReport, TrialAnalysis } from "@/lib/domain/trial-file";
import {
  type LedgerDetails,
  listTrialFiles,
  readAnalysis,
  readBreakdown,
  readLedgerDetails,
  readTestReports,
  readTrajectory,
  tagsFromAnalysis,
} from "@/lib/loader/detail";

import type { TrialPlace } from "./place";

/** What a trial's files say beside its result. */
export interface TrialDetails {
  readonly breakdown: Breakdown;
  readonly tests: readonly TestReport[];
  readonly analysis: TrialAnalysis | null;
  readonly errorTags: readonly ErrorTag[];
  /** Null when the trial has no folder. */
  readonly nFiles: number | null;
  /** Rows of the trajectory, subagents included; null when there is none. */
  readonly nSteps: number | null;
  /** What stands beside a ledger's record; null for a trial that Harbor wrote. */
  readonly ledger: LedgerDetails | null;
  /** Files of which only a part is here, those of which tags are left out among them. */
  readonly cutFiles: readonly string[];
  /** Files that state error tags, where not all of these are here; else empty. */
  readonly cutTagFiles: readonly string[];
  /** Paths are relative to the trial's folder. */
  readonly issues: readonly LoadIssue[];
  /** Paths begin with the root's label. */
  readonly placedIssues: readonly LoadIssue[];
}

/** The details of a trial without any file. */
export const NO_DETAILS: TrialDetails = {
  breakdown: { sources: [], errorTags: [], files: [], issues: [] },
  tests: [],
  analysis: null,
  errorTags: [],
  nFiles: null,
  nSteps: null,
  ledger: null,
  cutFiles: [],
  cutTagFiles: [],
  issues: [],
  placedIssues: [],
};

/** Tests, checks or tags that a page lists of one trial. */
const MAX_SHOWN = 500;
/** Dimensions of one list, which are dearer to draw; all lists have four times as many together. */
const MAX_DIMENSIONS = 100;

/** Of the dimensions, and of all else: a page shows a part of it at more than one place. */
const MAX_BYTES = 400_000;

/** What a trial's files say beside its result, cut where no page could hold it, which an issue says. One file after the other, so that the one that is at work is known. */
export async function readTrialDetails(place: TrialPlace): Promise<TrialDetails> {
  const whole = await readWholeDetails(place);
  const { breakdown, ...details } = whole;
  const bounders = [
    new TextBounder(MAX_DIMENSIONS, MAX_BYTES),
    new TextBounder(MAX_SHOWN, MAX_BYTES),
  ] as const;
  const shown = { breakdown: bounders[0].bound(breakdown), ...bounders[1].bound(details) };
  const cut = bounders.flatMap((bounder) => bounder.describe() ?? []);
  const issues = cut.map((detail): LoadIssue => ({ code: "text_too_long", path: "", detail }));
  return { ...shown, ...listCutFiles(whole, shown), issues: [...shown.issues, ...issues] };
}

/** What is whole is the very same value. */
function listCutFiles(
  whole: TrialDetails,
  shown: TrialDetails,
): Pick<TrialDetails, "cutFiles" | "cutTagFiles"> {
  const analysis = whole.analysis === null ? [] : ["analysis.json"];
  const cutTagFiles =
    whole.errorTags === shown.errorTags ? [] : [...new Set([...whole.breakdown.files, ...analysis])];
  const { sources } = whole.breakdown;
  const cutFiles = [
    ...sources.filter((source, at) => source !== shown.breakdown.sources[at]).map(({ file }) => file),
    ...whole.tests.filter((report, at) => report !== shown.tests[at]).map(({ file }) => file),
    ...(whole.analysis === shown.analysis ? [] : analysis),
    ...cutTagFiles,
  ];
  return { cutFiles: [...new Set(cutFiles)], cutTagFiles };
}

async function readWholeDetails(place: TrialPlace): Promise<TrialDetails> {
  const { path, stepNames } = place;
  if (path === null) return NO_DETAILS;
  if (place.ledger !== null) return describeLedger(await readLedgerDetails(place.root, place.ledger));
  const breakdown = await readBreakdown(path, stepNames);
  const tests = await readTestReports(path, stepNames);
  const analysis = await readAnalysis(path);
  const files = await listTrialFiles(path);
  const trajectory = await readTrajectory(path, { stepNames });
  return {
    ...NO_DETAILS,
    breakdown,
    tests: tests.value,
    analysis: analysis.value,
    errorTags: [...breakdown.errorTags, ...tagsFromAnalysis(analysis.value)],
    nFiles: files.entries.filter(({ kind }) => kind === "file").length,
    nSteps: trajectory.files.length === 0 ? null : trajectory.steps.length,
    issues: [...breakdown.issues, ...tests.issues, ...analysis.issues, ...files.issues, ...trajectory.issues],
  };
}

/** Files of a ledger's trial are those beside its record, and nothing in them is a trajectory that can be read. */
function describeLedger(ledger: LedgerDetails): TrialDetails {
  const { breakdown, entries, issues } = ledger;
  return {
    ...NO_DETAILS,
    breakdown,
    errorTags: breakdown.errorTags,
    nFiles: entries.filter(({ kind }) => kind === "file").length,
    ledger,
    placedIssues: issues,
  };
}
