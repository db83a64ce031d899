import { toColumnText } from "@/lib/database";
import type { TrialFindings } from "@/lib/domain/breakdown";
import type { LoadIssue } from "@/lib/domain/load-issue";
import {
  type LoadRoot,
  NO_FINDINGS,
  prepareIssue,
  readLedgerFindings,
  readTrialFindings,
} from "@/lib/loader";
import { leaveTrial } from "@/lib/loader/large-files";
import { hearOfParent } from "@/lib/processes/with-parent";
import {
  addFindings,
  clearFindings,
  finishFindings,
  type IndexStore,
  type JobRow,
  type PendingJob,
  readPlacedTrials,
} from "@/lib/store";

import { boundFindings } from "./bound-texts";
import { FindingsRollup } from "./findings-rollup";
import { prepareIssuePlaces, prepareIssueRows } from "./issue-rows";
import { ProgressReport } from "./progress-report";
import { readJobReports } from "./report-rows";
import { checkRubric, mayHideCrash, prepareCheck, SuspicionRollup } from "./trial-checks";

/** A job whose trials' files are to be read for findings. */
export interface FindingsTask {
  readonly root: LoadRoot;
  readonly job: PendingJob;
}

/** Trials whose findings are written together. */
const TRIALS_A_WRITE = 500;

/**
 * Reads the files of a job's trials for findings and writes what they say into the index, some hundred trials at a time.
 *
 * @returns false when the job changed meanwhile, so that this must be done again
 * @throws StoreError when the store cannot be read or written
 */
export async function readJobFindings(
  store: IndexStore,
  { root, job }: FindingsTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  if (!(await clearFindings(store, job))) return false;
  const report = new ProgressReport(onTrials);
  const rollup = new FindingsRollup();
  const suspicions = new SuspicionRollup();
  const issues: JobRow<"issues">[] = [];
  for (let from = 0; ;) {
    const trials = await readPlacedTrials(store, job.id, from, TRIALS_A_WRITE);
    const dimensions: JobRow<"trialDimensions">[] = [];
    const tags: JobRow<"trialTags">[] = [];
    const checks: JobRow<"trialChecks">[] = [];
    for (const placed of trials) {
      report.add();
      const { trial, position } = placed;
      // A trial that only the job's plan or statistics name has no folder.
      if (trial.folder === "") {
        rollup.add(placed, NO_FINDINGS, "no_dimensions");
        continue;
      }
      const steps = trial.steps?.map(({ stepName }) => stepName) ?? null;
      const reading =
        trial.ledger === null
          ? readTrialFindings(root, trial.folder, steps, mayHideCrash(trial))
          : readLedgerFindings(root, trial.folder);
      const { findings, detail } = boundFindings(reading.findings);
      const fit = checkRubric(trial, findings);
      rollup.add(placed, findings, fit);
      const said = [...reading.issues, ...describeCut(root, trial.folder, detail)];
      const places = prepareIssuePlaces(root.label, "", [trial]);
      append(issues, prepareIssueRows(said, root.index, places, "findings"));
      append(dimensions, listDimensions(findings, position));
      append(tags, listTags(findings, position));
      suspicions.add(placed, findings);
      const check = prepareCheck(placed, findings, fit);
      if (check !== null) checks.push(check);
    }
    leaveTrial();
    await hearOfParent();
    const rows = { trialDimensions: dimensions, trialTags: tags, trialChecks: checks };
    const isWritten =
      Object.values(rows).every(({ length }) => length === 0) || (await addFindings(store, job, rows));
    if (!isWritten) return false;
    report.tell();
    if (trials.length < TRIALS_A_WRITE) break;
    from = (trials.at(-1)?.position ?? from) + 1;
  }
  const reports = await readJobReports(root, job);
  const places = prepareIssuePlaces(root.label, job.folder, []);
  append(issues, prepareIssueRows(reports.issues, root.index, places, "findings"));
  return finishFindings(store, job, {
    ...rollup.close(),
    suspicions: suspicions.close(),
    reports: reports.rows,
    issues: issues.map((issue, position) => ({ ...issue, position })),
  });
}

function listDimensions({ dimensions }: TrialFindings, position: number): JobRow<"trialDimensions">[] {
  return [...dimensions].map(([name, said], ordinal) => ({ position, ordinal, name, ...said }));
}

function listTags({ errorTags }: TrialFindings, position: number): JobRow<"trialTags">[] {
  const seen = new Set<string>();
  return errorTags.flatMap(({ category, source }) => {
    const name = `${toColumnText(category)}\n${source}`;
    if (seen.has(name)) return [];
    seen.add(name);
    return { position, ordinal: seen.size - 1, category, source };
  });
}

/** Says that the findings of a job could not be read, and that there are none. @throws StoreError when the store cannot be written */
export async function failJobFindings(
  store: IndexStore,
  { root, job }: FindingsTask,
  issue: LoadIssue,
): Promise<void> {
  if (!(await clearFindings(store, job))) return;
  await finishFindings(store, job, {
    ...new FindingsRollup().close(),
    suspicions: [],
    reports: [],
    issues: prepareIssueRows([issue], root.index, prepareIssuePlaces(root.label, job.folder, []), "findings"),
  });
}

/** One at a time: a file may name more dimensions than a call takes arguments. */
function append<T>(list: T[], added: readonly T[]): void {
  for (const one of added) list.push(one);
}

function describeCut(root: LoadRoot, folder: string, detail: string | null): readonly LoadIssue[] {
  return detail === null ? [] : [prepareIssue(root, "text_too_long", folder, detail)];
}
