import { type ComparedGroups, prepareCompareJson } from "@/lib/core/comparison";

import { parseCommandLine, UsageError } from "./command-line";
import { type Condition, findFailures, parseCondition } from "./compare-conditions";
import { COMPARE_OPTIONS, compareFolders, parseCompareChoice, poolFolders } from "./compare-folders";
import { prepareCompareText } from "./compare-text";
import { readRules } from "./known-failures";
import { openFolders, parseSummation } from "./open-folders";
import { type Terminal, writeAll, writeJson } from "./terminal";

/** Runs `assay compare`. Returns 1 if the condition of `--fail-if` holds. */
export async function runCompare(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    ...COMPARE_OPTIONS,
    "fail-if": { type: "string" },
    json: { type: "boolean" },
  });
  if (positionals.length === 0) throw new UsageError("Name at least one job folder.");
  const condition = values["fail-if"] === undefined ? null : parseCondition(values["fail-if"]);
  const choice = parseCompareChoice(values);
  const snapshot = openFolders(terminal, positionals, parseSummation(values.summation, terminal.env));
  const named = await poolFolders(snapshot, choice, terminal, readRules(terminal, values.data));
  const comparison = compareFolders(named, positionals, choice, condition !== null);
  if (values.json === true) await writeJson(terminal.stdout, prepareCompareJson(comparison));
  else await writeAll(terminal.stdout, [prepareCompareText(comparison)]);
  return reportFailures(comparison, condition, terminal);
}

function reportFailures(
  { groups, figures }: ComparedGroups,
  condition: Condition | null,
  { stderr }: Terminal,
): number {
  if (condition === null) return 0;
  const failures = findFailures(groups, figures, condition);
  for (const sentence of failures) stderr.write(`FAIL: ${sentence}\n`);
  return failures.length > 0 ? 1 : 0;
}
