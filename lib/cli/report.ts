import { dirname, relative, resolve } from "node:path";

import { isBucketAddress } from "@/lib/core/domain/bucket";
import { describePath } from "@/lib/read/buckets";

import { checkReport } from "./check-report";
import { parseCommandLine, UsageError } from "./command-line";
import { COMPARE_OPTIONS, compareFolders, parseCompareChoice, poolFolders } from "./compare-folders";
import { readRules } from "./known-failures";
import { drawReport, makeReport } from "./make-report";
import { openFolders, parseSummation } from "./open-folders";
import { type Terminal, writeAll } from "./terminal";
import { checkOutput, writeFileAtOnce } from "./write-file";

/** Runs `assay report`, which writes a comparison as one HTML file. With `--check` it returns 1 if such a file no longer holds. */
export async function runReport(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    ...COMPARE_OPTIONS,
    output: { type: "string", short: "o" },
    check: { type: "string" },
  });
  const { check, output, ...options } = values;
  if (check !== undefined) {
    const others = Object.keys(values).filter((name) => name !== "check" && name !== "data");
    if (others.length > 0)
      throw new UsageError(`--check computes what the report says; leave out --${others.join(" and --")}.`);
    return checkReport(check, { folders: positionals, data: values.data }, terminal);
  }
  if (positionals.length === 0) throw new UsageError("Name at least one job folder.");
  const choice = parseCompareChoice(options);
  const summation = parseSummation(options.summation, terminal.env);
  if (output !== undefined) for (const folder of positionals) checkOutput(output, folder);
  const snapshot = openFolders(terminal, positionals, summation);
  const base = output === undefined ? "." : dirname(resolve(output));
  // The local folder of a bucket must not appear in a shared report.
  const shown = positionals.map(describePath);
  const rules = readRules(terminal, options.data);
  const named = await poolFolders(snapshot, choice, terminal, rules);
  const report = makeReport(snapshot, compareFolders(named, positionals, choice), {
    summation,
    rules: rules.version,
    command: {
      arguments: [...shown, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])],
      folders: shown.map((folder) => (isBucketAddress(folder) ? folder : relative(base, folder) || ".")),
    },
  });
  const html = await drawReport(report);
  if (output === undefined) await writeAll(terminal.stdout, [html]);
  else await writeFileAtOnce(output, [html]);
  return 0;
}
