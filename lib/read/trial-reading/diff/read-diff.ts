import type { BreakdownSource } from "@/lib/core/domain/breakdown";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import type { Trajectory } from "@/lib/core/domain/trajectory";
import type { TestReport } from "@/lib/core/domain/trial-file";
import { readBreakdown, readLedgerDetails, readTestReports, readTrajectory } from "@/lib/read/loader/detail";

import type { TrialPlace } from "../place";
import { NO_TRAJECTORY } from "../steps";
import { compareDimensions, compareTests } from "./compare-verifiers";
import { prepareDiffSteps, type DiffWindow } from "./diff-steps";

export type DiffReading = ReturnType<typeof compare>;

export interface DiffRequest {
  readonly window: DiffWindow | null;
  readonly tests: number;
}

const MAX_ISSUES = 20;
const MAX_ISSUE_BYTES = 20_000;

export async function readDiff(placeA: TrialPlace, placeB: TrialPlace, request: DiffRequest) {
  return compare(await readSide(placeA), await readSide(placeB), request);
}

export function prepareUnread(request: DiffRequest) {
  return compare(NOTHING, NOTHING, request);
}

interface DiffSide {
  readonly path: string;
  readonly trajectory: Trajectory;
  readonly tests: readonly TestReport[];
  readonly dimensions: readonly BreakdownSource[];
  readonly issues: readonly LoadIssue[];
}

const NOTHING: DiffSide = { path: "", trajectory: NO_TRAJECTORY, tests: [], dimensions: [], issues: [] };

function compare(a: DiffSide, b: DiffSide, { window, tests }: DiffRequest) {
  return {
    sources: { a: describe(a), b: describe(b) },
    steps: prepareDiffSteps(a, b, window),
    tests: compareTests(a.tests, b.tests, tests),
    dimensions: compareDimensions(a.dimensions, b.dimensions),
  };
}

async function readSide({ path, stepNames, ledger, root }: TrialPlace): Promise<DiffSide> {
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

function describe({ trajectory: { files, steps, sources, source }, issues }: DiffSide) {
  return new TextBounder(MAX_ISSUES, MAX_ISSUE_BYTES).bound({
    nSteps: files.length === 0 ? null : steps.length,
    format: sources.find(({ path }) => path === source)?.format ?? null,
    issues,
  });
}
