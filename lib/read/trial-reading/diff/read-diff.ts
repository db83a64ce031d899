import type { BreakdownSource } from "@/lib/core/domain/breakdown";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import type { Trajectory } from "@/lib/core/domain/trajectory";
import type { TestReport } from "@/lib/core/domain/trial-file";
import { readBreakdown, readLedgerDetails, readTestReports, readTrajectory } from "@/lib/read/loader/detail";

import type { TrialPlace } from "../place";
import { NO_TRAJECTORY } from "../steps";
import { compareDimensions } from "./compare-dimensions";
import { compareTests } from "./compare-tests";
import { prepareBesideSteps, type BesideWindow } from "./diff-steps";

export type BesideReading = ReturnType<typeof compare>;

export interface BesideRequest {
  readonly window: BesideWindow | null;
  readonly tests: number;
}

const MAX_ISSUES = 20;
const MAX_ISSUE_BYTES = 20_000;

export async function readBeside(placeA: TrialPlace, placeB: TrialPlace, request: BesideRequest) {
  return compare(await readSide(placeA), await readSide(placeB), request);
}

export function prepareUnread(request: BesideRequest) {
  return compare(NOTHING, NOTHING, request);
}

interface BesideSide {
  readonly path: string;
  readonly trajectory: Trajectory;
  readonly tests: readonly TestReport[];
  readonly dimensions: readonly BreakdownSource[];
  readonly issues: readonly LoadIssue[];
}

const NOTHING: BesideSide = { path: "", trajectory: NO_TRAJECTORY, tests: [], dimensions: [], issues: [] };

function compare(a: BesideSide, b: BesideSide, { window, tests }: BesideRequest) {
  return {
    sources: { a: describe(a), b: describe(b) },
    steps: prepareBesideSteps(a, b, window),
    tests: compareTests(a.tests, b.tests, tests),
    dimensions: compareDimensions(a.dimensions, b.dimensions),
  };
}

async function readSide({ path, stepNames, ledger, root }: TrialPlace): Promise<BesideSide> {
  if (path === null) return NOTHING;
  if (ledger !== null) {
    const { breakdown } = await readLedgerDetails(root, ledger);
    return { ...NOTHING, path, dimensions: breakdown.sources, issues: breakdown.issues };
  }
  const trajectory = await readTrajectory(path, stepNames);
  const tests = await readTestReports(path, stepNames);
  const breakdown = await readBreakdown(path, stepNames);
  return {
    path,
    trajectory,
    tests: tests.value,
    dimensions: breakdown.sources,
    issues: [...trajectory.issues, ...tests.issues, ...breakdown.issues],
  };
}

function describe({ trajectory: { files, steps, sources, source }, issues }: BesideSide) {
  return new TextBounder(MAX_ISSUES, MAX_ISSUE_BYTES).bound({
    nSteps: files.length === 0 ? null : steps.length,
    format: sources.find(({ path }) => path === source)?.format ?? null,
    issues,
  });
}
