import type { JobEntry } from "@/lib/core/domain/catalog";
import { compareNames } from "@/lib/core/domain/compare-text";
import { LOAD_ISSUE_CODES, type LoadIssue } from "@/lib/core/domain/load-issue";
import type { LostPart } from "@/lib/core/domain/lost-part";
import { explainLost, formatLostCost, LOST_WORDS } from "@/lib/core/format/lost-words";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { prepareRoots, readBoundDetails, sortIssues } from "@/lib/read/catalog";

import { defineCommand, flag, parseOnlyOperand, parseSummation } from "./command";
import { openFolders } from "./open-folders";
import { writeAll, writeJson, toSnakeCase } from "./terminal";
import { formatRows, type Column } from "./text-table";

export const check = defineCommand({
  listed: { "check DIR": "Print what could not be read or looks unusual" },
  usage: ["assay check DIR [OPTIONS]"],
  about: `Prints the load report: files that cannot be read or trusted (problems), and unusual files that change nothing (notes).
Then prints the lost work of each job: trials that were retried, cancelled, never started, or are missing their folder.`,
  options: {
    json: flag("Print JSON (assay.check/1)."),
    strict: flag("Exit with 1 if there is a problem."),
  },
  examples: ["assay check jobs --strict"],
  buckets: "results",
  async run({ values, positionals }, terminal) {
    const folder = parseOnlyOperand(positionals, "folder");
    const { roots, jobs, ...read } = openFolders(terminal, [folder], parseSummation(undefined, terminal.env));
    const issues = sortIssues([...read.issues, ...(await readDetailIssues(folder, jobs))]);
    const graded = issues.map((issue) => ({ severity: LOAD_ISSUE_CODES[issue.code], ...issue }));
    const nProblems = graded.filter(({ severity }) => severity === "problem").length;
    const nNotes = graded.length - nProblems;
    const nJobs = roots.reduce((sum, root) => sum + root.nJobs, 0);
    const nTrials = roots.reduce((sum, root) => sum + root.nTrials, 0);
    const lost = listLost(jobs);
    if (values.json) {
      const counts = { n_jobs: nJobs, n_trials: nTrials, n_problems: nProblems, n_notes: nNotes };
      const lostWork = lost.map(({ job, part }) => ({ job, ...toSnakeCase(part) }));
      const found = { issues: graded, lost_work: lostWork };
      await writeJson(terminal.stdout, { schema: "assay.check/1", folder, ...counts, ...found });
    } else {
      const sums = [
        formatPlural(nJobs, "job"),
        formatPlural(nTrials, "trial"),
        formatPlural(nProblems, "problem"),
        formatPlural(nNotes, "note"),
      ];
      await writeAll(terminal.stdout, [
        graded.length === 0 ? "" : `${formatRows(graded, COLUMNS)}\n`,
        lost.length === 0 ? "" : `${formatRows(lost, LOST_COLUMNS)}\n`,
        `${sums.join(", ")}\n`,
      ]);
    }
    return values.strict && nProblems > 0 ? 1 : 0;
  },
});

async function readDetailIssues(folder: string, jobs: readonly JobEntry[]): Promise<readonly LoadIssue[]> {
  const roots = prepareRoots([folder]);
  const found: LoadIssue[] = [];
  for (const { job, trials } of jobs) {
    const root = roots[job.root];
    for (const trial of trials)
      if (root !== undefined && trial.folder !== "")
        found.push(...(await readBoundDetails(root, trial)).issues);
  }
  return found;
}

interface LostOfJob {
  readonly job: string;
  readonly part: LostPart;
}

function listLost(jobs: readonly JobEntry[]): readonly LostOfJob[] {
  return jobs
    .toSorted((a, b) => compareNames(a.job.key, b.job.key))
    .flatMap(({ job }) => job.lostWork.map((part) => ({ job: job.key, part })));
}

const COLUMNS: readonly Column<LoadIssue & { readonly severity: string }>[] = [
  ["severity", ({ severity }) => severity],
  ["code", ({ code }) => code],
  ["path", ({ path }) => path],
  ["detail", ({ detail }) => detail],
];

const LOST_COLUMNS: readonly Column<LostOfJob>[] = [
  ["job", ({ job }) => job],
  ["lost work", ({ part }) => LOST_WORDS[part.kind].toLowerCase()],
  [{ right: "count" }, ({ part }) => formatCount(part.n)],
  [{ right: "cost, $" }, ({ part }) => formatLostCost(part)],
  ["what is known", ({ part }) => explainLost(part)],
];
