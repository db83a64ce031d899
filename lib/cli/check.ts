import { LOAD_ISSUE_CODES } from "@/lib/domain/load-issue";
import { formatPlural } from "@/lib/format/number";

import { parseCommandLine, parseOnlyOperand } from "./command-line";
import { openFolders, parseSummation } from "./open-folders";
import { type Terminal, writeAll, writeJson } from "./terminal";
import { formatTextTable } from "./text-table";

/** `assay check`: the load report. */
export async function runCheck(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    json: { type: "boolean" },
    strict: { type: "boolean" },
  });
  const folder = parseOnlyOperand(positionals, "folder");
  const { roots, issues } = openFolders(terminal, [folder], parseSummation(undefined, terminal.env));
  const graded = issues.map((issue) => ({ severity: LOAD_ISSUE_CODES[issue.code], ...issue }));
  const nProblems = graded.filter(({ severity }) => severity === "problem").length;
  const nNotes = graded.length - nProblems;
  const nJobs = roots.reduce((sum, root) => sum + root.nJobs, 0);
  const nTrials = roots.reduce((sum, root) => sum + root.nTrials, 0);
  if (values.json === true) {
    const counts = { n_jobs: nJobs, n_trials: nTrials, n_problems: nProblems, n_notes: nNotes };
    await writeJson(terminal.stdout, { schema: "assay.check/1", folder, ...counts, issues: graded });
  } else {
    const columns = ["severity", "code", "path", "detail"].map((heading) => ({ heading }));
    const rows = graded.map(({ severity, code, path, detail }) => [severity, code, path, detail]);
    const sums = [
      formatPlural(nJobs, "job"),
      formatPlural(nTrials, "trial"),
      formatPlural(nProblems, "problem"),
      formatPlural(nNotes, "note"),
    ];
    await writeAll(terminal.stdout, [
      rows.length === 0 ? "" : `${formatTextTable(columns, rows)}\n`,
      `${sums.join(", ")}\n`,
    ]);
  }
  return values.strict === true && nProblems > 0 ? 1 : 0;
}
