import type { TrialDerivedDetails } from "@/lib/core/domain/breakdown";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { readBoundDetails } from "@/lib/read/catalog";
import { type LoadRoot, NO_DERIVED_DETAILS } from "@/lib/read/loader";
import { leaveTrial } from "@/lib/read/loader/large-files";
import { hearOfParent } from "@/lib/read/processes/with-parent";
import { toColumnText } from "@/lib/store/database";
import {
  addDerivedDetails,
  clearDerivedDetails,
  encodeValue,
  finishDerivedDetails,
  type IndexStore,
  type JobRow,
  type PendingJob,
  readPlacedTrials,
} from "@/lib/store/tables";

import { DerivedDetailsRollup } from "./derived-details-rollup";
import { prepareIssueRows } from "./issue-rows";
import { ProgressReport } from "./progress-report";
import { readJobReports } from "./report-rows";
import { checkRubric, prepareCheck, SuspicionRollup } from "./trial-checks";

export interface DerivedDetailsTask {
  readonly root: LoadRoot;
  readonly job: PendingJob;
}

const TRIALS_A_WRITE = 500;

/**
 * Reads derived details from a job's trial files and writes them in batches.
 *
 * @returns false when the job changed meanwhile, so that this must be repeated
 * @throws StoreError when the store cannot be read or written
 */
export async function readJobDerivedDetails(
  store: IndexStore,
  { root, job }: DerivedDetailsTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  if (!(await clearDerivedDetails(store, job))) return false;
  const report = new ProgressReport(onTrials);
  const rollup = new DerivedDetailsRollup();
  const suspicions = new SuspicionRollup();
  const issues: JobRow<"issues">[] = [];
  for (let from = 0; ;) {
    const trials = await readPlacedTrials(store, job.id, from, TRIALS_A_WRITE);
    const dimensions: JobRow<"trialDimensions">[] = [];
    const tags: JobRow<"trialTags">[] = [];
    const checks: JobRow<"trialChecks">[] = [];
    const tests: JobRow<"trialTests">[] = [];
    for (const placed of trials) {
      report.add();
      const { trial, position } = placed;
      // A trial known only from the job's plan or statistics has no folder.
      if (trial.folder === "") {
        rollup.add(placed, NO_DERIVED_DETAILS, "no_dimensions");
        continue;
      }
      const { derivedDetails, issues: said } = await readBoundDetails(root, trial);
      const fit = checkRubric(trial, derivedDetails);
      rollup.add(placed, derivedDetails, fit);
      append(
        issues,
        prepareIssueRows(said, { root, folder: "", trials: [trial], origin: "derived-details" }),
      );
      append(dimensions, listDimensions(derivedDetails, position));
      append(tags, listTags(derivedDetails, position));
      suspicions.add(placed, derivedDetails);
      const check = prepareCheck(placed, derivedDetails, fit);
      if (check !== null) checks.push(check);
      append(tests, listTests(derivedDetails, position));
    }
    leaveTrial();
    await hearOfParent();
    const rows = { trialDimensions: dimensions, trialTags: tags, trialTests: tests, trialChecks: checks };
    const isWritten =
      Object.values(rows).every(({ length }) => length === 0) || (await addDerivedDetails(store, job, rows));
    if (!isWritten) return false;
    report.tell();
    if (trials.length < TRIALS_A_WRITE) break;
    from = (trials.at(-1)?.position ?? from) + 1;
  }
  const reports = await readJobReports(root, job);
  const { folder } = job;
  append(issues, prepareIssueRows(reports.issues, { root, folder, trials: [], origin: "derived-details" }));
  return finishDerivedDetails(store, job, {
    ...rollup.close(),
    suspicions: suspicions.close(),
    reports: reports.rows,
    issues: issues.map((issue, position) => ({ ...issue, position })),
  });
}

function listDimensions({ dimensions }: TrialDerivedDetails, position: number): JobRow<"trialDimensions">[] {
  return [...dimensions].map(([name, said], ordinal) => ({ position, ordinal, name, ...said }));
}

function listTests({ tests }: TrialDerivedDetails, position: number): JobRow<"trialTests">[] {
  return tests === null ? [] : [{ ...tests, position, failed: encodeValue(tests.failed) }];
}

function listTags({ errorTags }: TrialDerivedDetails, position: number): JobRow<"trialTags">[] {
  const seen = new Set<string>();
  return errorTags.flatMap(({ category, source }) => {
    const name = `${toColumnText(category)}\n${source}`;
    if (seen.has(name)) return [];
    seen.add(name);
    return { position, ordinal: seen.size - 1, category, source };
  });
}

/** Marks a job without derived details, with an issue. @throws StoreError when the store cannot be written */
export async function failJobDerivedDetails(
  store: IndexStore,
  { root, job }: DerivedDetailsTask,
  issue: LoadIssue,
): Promise<void> {
  if (!(await clearDerivedDetails(store, job))) return;
  await finishDerivedDetails(store, job, {
    ...new DerivedDetailsRollup().close(),
    suspicions: [],
    reports: [],
    issues: prepareIssueRows([issue], { root, folder: job.folder, trials: [], origin: "derived-details" }),
  });
}

/** One at a time: a file may name more dimensions than a call accepts as arguments. */
function append<T>(list: T[], added: readonly T[]): void {
  for (const one of added) list.push(one);
}
