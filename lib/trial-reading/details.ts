import type { BreakdownDimension, BreakdownSource } from "@/lib/domain/breakdown";
import { countPageBytes } from "@/lib/domain/page-bytes";
import type { LoadIssue } from "@/lib/domain/load-issue";
import type { ListPart } from "@/lib/domain/list-page";
import { type TestTally, tallyTests } from "@/lib/domain/tally-tests";
import { TextBounder } from "@/lib/domain/text-bounder";
import type { Trajectory } from "@/lib/domain/trajectory";
import type { ErrorTag } from "@/lib/domain/trial";
import type { TestReport, TrialAnalysis } from "@/lib/domain/trial-file";
import type { LogPlace } from "@/lib/domain/verifier-check";
import {
  describePart,
  type ListStarts,
  PART_SIZES,
  startOfPart,
  takeChecks,
  takePart,
} from "@/lib/domain/trial-lists";
import {
  findTestsInLogs,
  type LedgerDetails,
  listTrialFiles,
  readAnalysis,
  readBreakdown,
  readLedgerDetails,
  readTestReports,
  tagsFromAnalysis,
} from "@/lib/loader/detail";

import type { TrialPlace } from "./place";

/** What a trial's files say beside its result. */
export interface TrialDetails {
  /** What each file says of the reward's dimensions, as far as they are of the part. */
  readonly sources: readonly BreakdownSource[];
  /** Those first that count. */
  readonly tests: readonly TestReport[];
  /** Where verifiers' logs speak of failed tests, by `nameTest`. */
  readonly testsInLogs: ReadonlyMap<string, LogPlace>;
  /** Of all tests, also where not all are here; null without a report. */
  readonly testTally: TestTally | null;
  readonly analysis: TrialAnalysis | null;
  readonly errorTags: readonly ErrorTag[];
  /** Which part of each list is here; dimensions with their criteria, tests of all reports. */
  readonly parts: Readonly<Record<"dimensions" | "tests" | "tags", ListPart>>;
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

const NO_PART = describePart(0, 0, 0);

/** The details of a trial without any file. */
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

/** Bytes of a page for each list, and for all else, so that none takes the room of another. */
const MAX_BYTES = { dimensions: 300_000, tests: 300_000, tags: 100_000, checks: 100_000, rest: 100_000 };
/** Entries of any other list. */
const MAX_SHOWN = 500;

/** A trial's details with all entries of each list. */
interface WholeDetails extends Omit<TrialDetails, "cutFiles" | "cutTagFiles" | "parts"> {
  /** Files that may state error tags. */
  readonly tagFiles: readonly string[];
}

/** What a trial's files say beside its result: a part of each list, with texts cut that no page could hold, which an issue says. */
export async function readTrialDetails(
  place: TrialPlace,
  trajectory: Trajectory,
  starts: ListStarts,
): Promise<TrialDetails> {
  const whole = await readWholeDetails(place, trajectory);
  const { sources, tagFiles, ...rest } = whole;
  const dimensions = takeDimensions(sources, starts.dimensions, PART_SIZES.dimensions);
  const cut: string[] = [];
  const bound = <T>(value: T, list: keyof typeof MAX_BYTES): T => {
    const bounder = new TextBounder(list === "rest" ? MAX_SHOWN : PART_SIZES[list], MAX_BYTES[list]);
    const bounded = bounder.bound(value);
    cut.push(...[bounder.describe()].filter((detail) => detail !== null));
    return bounded;
  };
  const { tests, errorTags, analysis, ...others } = rest;
  const fromTest = findTestsStart(tests, starts);
  const shown = {
    sources: bound(dimensions.sources, "dimensions"),
    tests: bound(takeTests(tests, fromTest), "tests"),
    errorTags: bound(takePart(errorTags, starts.tags, PART_SIZES.tags), "tags"),
    analysis: bound(analysis === null ? null : takeChecks(analysis, starts.checks), "checks"),
    ...bound(others, "rest"),
  };
  const issues = cut.map((detail): LoadIssue => ({ code: "text_too_long", path: "", detail }));
  return {
    ...shown,
    ...listCutFiles(whole, shown),
    parts: {
      dimensions: describePart(
        dimensions.total,
        starts.dimensions,
        countRows(shown.sources) - dimensions.nContext,
      ),
      tests: describePart(
        tests.reduce((sum, report) => sum + report.tests.length, 0),
        fromTest,
        shown.tests.reduce((sum, report) => sum + report.tests.length, 0),
      ),
      tags: describePart(errorTags.length, starts.tags, shown.errorTags.length),
    },
    issues: [...shown.issues, ...issues],
  };
}

/** Where the part of the tests begins: that of the test that is asked for, else the one that is. */
function findTestsStart(reports: readonly TestReport[], { tests, test }: ListStarts): number {
  if (test === null) return tests;
  const at = reports.flatMap((report) => report.tests).findIndex(({ name }) => name === test);
  return at === -1 ? tests : at - (at % PART_SIZES.tests);
}

/** The tests of a part, which is one of all reports together; the very same reports where they fit. */
function takeTests(reports: readonly TestReport[], from: number): readonly TestReport[] {
  const all = reports.flatMap((report) => report.tests);
  const part = takePart(all, from, PART_SIZES.tests);
  if (part === all) return reports;
  const taken = new Set(part);
  return reports.map((report) => ({ ...report, tests: report.tests.filter((test) => taken.has(test)) }));
}

/** What is whole is the very same value. */
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

/** Files of a ledger's trial are those beside its record, and nothing in them is a trajectory that can be read. */
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

/** Bytes of the names of one part, each of which stands in three places. */
const MAX_NAMES_BYTES = 500_000;

/** Dimensions of one part, with the dimensions and files that they stand in. */
interface DimensionPart {
  readonly sources: readonly BreakdownSource[];
  /** Rows of the whole breakdown: dimensions and their criteria. */
  readonly total: number;
  /** Rows of `sources` that belong to an earlier part and are here because later ones stand in them. */
  readonly nContext: number;
}

/** The rows of a breakdown from one on, the very same sources where they fit; it ends early where names are too much for a page. */
function takeDimensions(sources: readonly BreakdownSource[], from: number, size: number): DimensionPart {
  const total = countRows(sources);
  const start = total <= size ? 0 : startOfPart(total, from);
  const rows = new RowRange(start, start + size);
  const taken = sources.flatMap((source) => {
    const dimensions = rows.take(source.dimensions);
    const isEmpty = source.dimensions.length === 0 && start === 0;
    return isEmpty || dimensions.length > 0 ? [{ ...source, dimensions }] : [];
  });
  return { sources: rows.nTaken === total ? sources : taken, total, nContext: rows.nContext };
}

/** Dimensions and criteria of a breakdown. */
function countRows(sources: readonly BreakdownSource[]): number {
  return sources.reduce((sum, { dimensions }) => sum + countBelow(dimensions), 0);
}

function countBelow(dimensions: readonly BreakdownDimension[]): number {
  return dimensions.reduce(
    (sum, { criteria, children }) => sum + 1 + criteria.length + countBelow(children),
    0,
  );
}

/** Walks through rows and keeps those of a range, as far as there is room for their names. */
class RowRange {
  private at = 0;
  private readonly from: number;
  private to: number;
  private room = MAX_NAMES_BYTES;
  nTaken = 0;
  nContext = 0;

  constructor(from: number, to: number) {
    this.from = from;
    this.to = to;
  }

  take(dimensions: readonly BreakdownDimension[]): readonly BreakdownDimension[] {
    return dimensions.flatMap((dimension) => {
      const isHere = this.takeNext(dimension.name);
      const criteria = dimension.criteria.filter(({ name }) => this.takeNext(name));
      const children = this.take(dimension.children);
      if (!isHere && criteria.length === 0 && children.length === 0) return [];
      if (!isHere) this.nContext++;
      return [{ ...dimension, criteria, children }];
    });
  }

  private takeNext(name: string): boolean {
    const at = this.at++;
    if (at < this.from || at >= this.to) return false;
    this.room -= 3 * countPageBytes(name);
    // One row at least, so that every part has a next one.
    if (this.room < 0 && at > this.from) {
      this.to = at;
      return false;
    }
    this.nTaken++;
    return true;
  }
}
