import type { BreakdownDimension, BreakdownSource } from "@/lib/core/domain/breakdown";
import type { ListPart } from "@/lib/core/domain/list-page";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { type TestTally, tallyTests } from "@/lib/core/domain/tally-tests";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import type { Trajectory } from "@/lib/core/domain/trajectory";
import type { ErrorTag } from "@/lib/core/domain/trial";
import type { TestReport, TrialAnalysis } from "@/lib/core/domain/trial-file";
import {
  describePart,
  type ListStarts,
  PART_SIZES,
  startOfPart,
  takeChecks,
  takePart,
} from "@/lib/core/domain/trial-lists";
import type { LogPlace } from "@/lib/core/domain/verifier-check";
import {
  findTestsInLogs,
  type LedgerDetails,
  listTrialFiles,
  readAnalysis,
  readBreakdown,
  readLedgerDetails,
  readTestReports,
  tagsFromAnalysis,
} from "@/lib/read/loader/detail";

import type { TrialPlace } from "./place";

export interface TrialDetails {
  readonly sources: readonly BreakdownSource[];
  readonly tests: readonly TestReport[];
  readonly testsInLogs: ReadonlyMap<string, LogPlace>;
  readonly testTally: TestTally | null;
  readonly analysis: TrialAnalysis | null;
  readonly errorTags: readonly ErrorTag[];
  /** Dimensions count with their criteria, tests across all reports. */
  readonly parts: Readonly<Record<"dimensions" | "tests" | "tags", ListPart>>;
  readonly nFiles: number | null;
  readonly nSteps: number | null;
  readonly ledger: LedgerDetails | null;
  /** Files that are shown only in part, including files with omitted tags. */
  readonly cutFiles: readonly string[];
  readonly cutTagFiles: readonly string[];
  /** Paths are relative to the trial's folder. */
  readonly issues: readonly LoadIssue[];
  /** Paths begin with the root's label. */
  readonly placedIssues: readonly LoadIssue[];
}

const NO_PART = describePart(0, 0, 0);

export const NO_DETAILS: TrialDetails = {
  sources: [],
  tests: [],
  testsInLogs: new Map(),
  testTally: null,
  analysis: null,
  errorTags: [],
  parts: { dimensions: NO_PART, tests: NO_PART, tags: NO_PART },
  nFiles: null,
  nSteps: null,
  ledger: null,
  cutFiles: [],
  cutTagFiles: [],
  issues: [],
  placedIssues: [],
};

/** Page bytes per list and for the rest, so that no list takes the space of another. */
const MAX_BYTES = { dimensions: 300_000, tests: 300_000, tags: 100_000, checks: 100_000, rest: 100_000 };
const MAX_SHOWN = 500;

interface WholeDetails extends Omit<TrialDetails, "cutFiles" | "cutTagFiles" | "parts"> {
  readonly tagFiles: readonly string[];
}

/** Reads one part of each list and cuts texts that are too long for a page. Reports cuts as issues. */
export async function readTrialDetails(
  place: TrialPlace,
  trajectory: Trajectory,
  starts: ListStarts,
): Promise<TrialDetails> {
  const whole = await readWholeDetails(place, trajectory);
  const { sources, tagFiles, tests, errorTags, analysis, ...others } = whole;
  const dimensions = takeDimensions(sources, starts.dimensions, PART_SIZES.dimensions);
  const cuts: LoadIssue[] = [];
  const bound = <T>(value: T, list: keyof typeof MAX_BYTES): T => {
    const bounder = new TextBounder(list === "rest" ? MAX_SHOWN : PART_SIZES[list], MAX_BYTES[list]);
    const bounded = bounder.bound(value);
    const detail = bounder.describe();
    if (detail !== null) cuts.push({ code: "text_too_long", path: "", detail });
    return bounded;
  };
  const fromTest = findTestsStart(tests, starts);
  const shown = {
    sources: bound(dimensions.sources, "dimensions"),
    tests: bound(takeTests(tests, fromTest), "tests"),
    errorTags: bound(takePart(errorTags, starts.tags, PART_SIZES.tags), "tags"),
    analysis: bound(analysis === null ? null : takeChecks(analysis, starts.checks), "checks"),
    ...bound(others, "rest"),
  };
  return {
    ...shown,
    ...listCutFiles(whole, shown),
    parts: {
      dimensions: describePart(
        dimensions.total,
        starts.dimensions,
        countRows(shown.sources) - dimensions.nContext,
      ),
      tests: describePart(listTests(tests).length, fromTest, listTests(shown.tests).length),
      tags: describePart(errorTags.length, starts.tags, shown.errorTags.length),
    },
    issues: [...shown.issues, ...cuts],
  };
}

function listTests(reports: readonly TestReport[]) {
  return reports.flatMap((report) => report.tests);
}

function findTestsStart(reports: readonly TestReport[], { tests, test }: ListStarts): number {
  if (test === null) return tests;
  const at = listTests(reports).findIndex(({ name }) => name === test);
  return at === -1 ? tests : at - (at % PART_SIZES.tests);
}

function takeTests(reports: readonly TestReport[], from: number): readonly TestReport[] {
  const all = listTests(reports);
  const part = takePart(all, from, PART_SIZES.tests);
  if (part === all) return reports;
  const taken = new Set(part);
  return reports.map((report) => ({ ...report, tests: report.tests.filter((test) => taken.has(test)) }));
}

function listCutFiles(
  whole: WholeDetails,
  shown: Pick<TrialDetails, "sources" | "tests" | "analysis" | "errorTags">,
): Pick<TrialDetails, "cutFiles" | "cutTagFiles"> {
  const analysis = whole.analysis === null ? [] : ["analysis.json"];
  const cutTagFiles =
    whole.errorTags === shown.errorTags ? [] : [...new Set([...whole.tagFiles, ...analysis])];
  const isHere = new Set<unknown>([...shown.sources, ...shown.tests]);
  const cutFiles = [
    ...[...whole.sources, ...whole.tests].filter((one) => !isHere.has(one)).map(({ file }) => file),
    ...(whole.analysis === shown.analysis ? [] : analysis),
    ...cutTagFiles,
  ];
  return { cutFiles: [...new Set(cutFiles)], cutTagFiles };
}

async function readWholeDetails(place: TrialPlace, trajectory: Trajectory): Promise<WholeDetails> {
  const { path, stepNames } = place;
  if (path === null) return { ...NO_DETAILS, tagFiles: [] };
  if (place.ledger !== null) return describeLedger(await readLedgerDetails(place.root, place.ledger));
  const breakdown = await readBreakdown(path, stepNames);
  const tests = await readTestReports(path, stepNames);
  const analysis = await readAnalysis(path);
  const files = await listTrialFiles(path);
  return {
    ...NO_DETAILS,
    sources: breakdown.sources,
    tagFiles: breakdown.files,
    tests: tests.value,
    testsInLogs: await findTestsInLogs(path, tests.value),
    testTally: tallyTests(tests.value),
    analysis: analysis.value,
    errorTags: [...breakdown.errorTags, ...tagsFromAnalysis(analysis.value)],
    nFiles: files.entries.filter(({ kind }) => kind === "file").length,
    nSteps: trajectory.files.length === 0 ? null : trajectory.steps.length,
    issues: [...breakdown.issues, ...tests.issues, ...analysis.issues, ...files.issues, ...trajectory.issues],
  };
}

function describeLedger(ledger: LedgerDetails): WholeDetails {
  const { breakdown, entries, issues } = ledger;
  return {
    ...NO_DETAILS,
    sources: breakdown.sources,
    tagFiles: breakdown.files,
    errorTags: breakdown.errorTags,
    nFiles: entries.filter(({ kind }) => kind === "file").length,
    ledger,
    placedIssues: issues,
  };
}

function takeDimensions(sources: readonly BreakdownSource[], from: number, size: number) {
  const total = countRows(sources);
  const start = startOfPart(total, from);
  if (total <= size) return { sources, total, nContext: 0 };
  let at = 0;
  /** Rows of an earlier part, included because they contain later ones. */
  let nContext = 0;
  const isNextHere = () => {
    const nth = at++;
    return nth >= start && nth < start + size;
  };
  const take = (dimensions: readonly BreakdownDimension[]): readonly BreakdownDimension[] =>
    dimensions.flatMap((dimension) => {
      const isHere = isNextHere();
      const criteria = dimension.criteria.filter(isNextHere);
      const children = take(dimension.children);
      if (!isHere && criteria.length === 0 && children.length === 0) return [];
      if (!isHere) nContext++;
      return [{ ...dimension, criteria, children }];
    });
  const taken = sources.flatMap((source) => {
    const dimensions = take(source.dimensions);
    const isEmpty = source.dimensions.length === 0 && start === 0;
    return isEmpty || dimensions.length > 0 ? [{ ...source, dimensions }] : [];
  });
  return { sources: taken, total, nContext };
}

function countRows(sources: readonly BreakdownSource[]): number {
  return sources.reduce((sum, { dimensions }) => sum + countBelow(dimensions), 0);
}

function countBelow(dimensions: readonly BreakdownDimension[]): number {
  return dimensions.reduce(
    (sum, { criteria, children }) => sum + 1 + criteria.length + countBelow(children),
    0,
  );
}
