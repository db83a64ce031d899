import { createReadStream, mkdirSync } from "node:fs";
import { join } from "node:path";

import { formatPlural } from "@/lib/core/format/number";
import { JUDGMENT_TABLE, writeExport } from "@/lib/output/export";
import {
  type ImportReport,
  importAnnotations,
  prepareReviewerFiles,
  readExport,
  writeJsonLines,
  writeLangfuseScores,
} from "@/lib/people/annotations";

import {
  type Command,
  UsageError,
  flag,
  formatHelp,
  formatOptions,
  option,
  parseChoice,
  parseCommandLine,
} from "./command";
import { checkFile, withAnnotations } from "./open-folders";
import { checkOutsideJobs, writeFileAtOnce } from "./output-file";
import { type Terminal, makePrintable, warn, writeAll, writeJson, toSnakeCase } from "./terminal";

const EXPORT_OPTIONS = {
  data: option("DIR", "Folder of the annotations (default $ASSAY_DATA, else the user's data folder)."),
  format: option(
    "FORMAT",
    "jsonl (default), csv or parquet (judgments alone, one row each), or langfuse (scores).",
  ),
  history: flag("Include replaced and undone versions."),
  queue: option("ID", "Only judgments saved for this queue."),
  job: option("NAME", "Only trials of the job with this name or id."),
  reviewer: option("NAME", "Only this reviewer's judgments and decisions."),
  "per-reviewer": option(
    "DIR",
    "Write one JSONL file per reviewer into DIR, with history, in an order that git can merge.",
  ),
  output: option("FILE", "Write to FILE instead; required for Parquet."),
};

const IMPORT_OPTIONS = {
  data: option("DIR", "As above."),
  "dry-run": flag("Print what would happen and write nothing."),
  admin: flag("Also continue judgments that belong to a browser here."),
  json: flag("Print JSON (assay.import/1)."),
};

export const annotations: Command = {
  listed: {
    "annotations export": "Write reviewers' judgments to files",
    "annotations import": "Read reviewers' judgments from exported files",
  },
  help: formatHelp(
    ["assay annotations export [OPTIONS]", "assay annotations import FILE ... [OPTIONS]"],
    [
      `Export writes current judgments and decisions, one JSON object per line (assay.annotation/1, assay.adjudication/1), then names of
clusters and dismissals (assay.triage-note/1), answers to suggestions (assay.suggestion-answer/1) and tags of other tools (assay.tag/1).`,
      formatOptions(EXPORT_OPTIONS),
      `Import reads one or more exported JSONL files. If any line is invalid, it prints these lines and imports nothing.
Existing judgments are kept. Judgments that changed in both places are conflicts: they are listed and skipped, and the
rest is imported. A tag of another tool is a line with trial, job, category, source, and optionally description and
evidence. Exits with 1 if a line is invalid or conflicts.`,
      formatOptions(IMPORT_OPTIONS),
    ],
  ),
  options: { ...EXPORT_OPTIONS, ...IMPORT_OPTIONS },
  words: ["export", "import"],
  examples: [
    "assay annotations export --output judgments.jsonl",
    "assay annotations import judgments.jsonl --dry-run",
  ],
  async run([verb, ...rest], terminal) {
    if (verb === "export") return exportAnnotations(rest, terminal);
    if (verb === "import") return importFiles(rest, terminal);
    throw new UsageError("Use assay annotations export or assay annotations import.");
  },
};

/** Returns 1 if stored data cannot be read. */
async function exportAnnotations(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, EXPORT_OPTIONS);
  if (positionals[0] !== undefined) throw new UsageError(`Export takes no operand ${positionals[0]}.`);
  const format = parseChoice(values.format ?? "jsonl", ["jsonl", "csv", "parquet", "langfuse"], "format");
  const { output, data, queue, job, reviewer, "per-reviewer": folder } = values;
  if (folder !== undefined && (output !== undefined || values.format !== undefined))
    throw new UsageError("--per-reviewer cannot be combined with --format or --output.");
  if (format === "parquet" && output === undefined)
    throw new UsageError("Parquet is binary: set a file with --output FILE.");
  for (const place of [folder, output]) if (place !== undefined) checkOutsideJobs(place);
  return withAnnotations(terminal, data, async (store) => {
    const history = values.history || folder !== undefined;
    const content = await readExport(store, {
      history,
      queue: queue ?? null,
      job: job ?? null,
      reviewer: reviewer ?? null,
    });
    const pieces = () => {
      if (format === "jsonl") return writeJsonLines(content);
      if (format === "langfuse") return writeLangfuseScores(content.judgments);
      return writeExport(format, JUDGMENT_TABLE, content.judgments);
    };
    if (folder !== undefined) await writeReviewerFiles(folder, prepareReviewerFiles(content), terminal);
    else if (output !== undefined) await writeFileAtOnce(output, pieces());
    else await writeAll(terminal.stdout, pieces());
    if (content.problem === null) return 0;
    warn(terminal, content.problem);
    return 1;
  });
}

async function writeReviewerFiles(
  folder: string,
  files: ReturnType<typeof prepareReviewerFiles>,
  terminal: Terminal,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of files) await writeFileAtOnce(join(folder, name), [text]);
  terminal.stderr.write(`${formatPlural(files.length, "file")} in ${makePrintable(folder)}\n`);
}

/** Returns 1 if a line is invalid or conflicts with stored data. */
async function importFiles(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals: files } = parseCommandLine(args, IMPORT_OPTIONS);
  if (files.length === 0) throw new UsageError("Pass the files to import.");
  for (const file of files) checkFile(file);
  return withAnnotations(terminal, values.data, async (store) => {
    const sources = files.map((name) => ({ name, bytes: createReadStream(name) }));
    const report = await importAnnotations(store, sources, {
      isDryRun: values["dry-run"],
      actor: { browserKeyHash: null, isAdmin: values.admin },
    });
    if (values.json) await writeJson(terminal.stdout, prepareImportJson(report));
    else await writeAll(terminal.stdout, describeImport(report));
    return report.nErrors + report.nConflicts > 0 ? 1 : 0;
  });
}

const STATES: Readonly<Record<ImportReport["state"], string>> = {
  checked: "Checked, nothing written",
  done: "Imported",
  refused: "Nothing imported: fix the lines below first",
};

function describeImport(report: ImportReport): readonly string[] {
  const { state, nLines, trials, errors, nErrors, conflicts, nConflicts, notes } = report;
  const counts = [
    formatPlural(report.nNew, "new judgment"),
    ...(report.nNewDecisions > 0 ? [formatPlural(report.nNewDecisions, "new decision")] : []),
    ...(report.nNewQueues > 0 ? [formatPlural(report.nNewQueues, "new queue")] : []),
    ...(report.nNewTags > 0 ? [formatPlural(report.nNewTags, "new tag")] : []),
    ...(report.nNewAnswers > 0 ? [formatPlural(report.nNewAnswers, "new answer")] : []),
    ...(report.nNewNotes > 0
      ? [formatPlural(report.nNewNotes, "new name or dismissal", "new names and dismissals")]
      : []),
    ...(report.nWithdrawn > 0 ? [`${report.nWithdrawn} undone`] : []),
    `${report.nKnown} already here`,
    ...(report.nRepeated > 0 ? [`${report.nRepeated} repeated`] : []),
    ...(report.nOlder > 0 ? [`${report.nOlder} older than here, skipped`] : []),
    formatPlural(nConflicts, "conflict"),
    formatPlural(nErrors, "invalid line"),
  ];
  return [
    `${STATES[state]}. ${formatPlural(nLines, "line")} about ${formatPlural(trials.length, "trial")}: ${counts.join(", ")}.`,
    ...notes,
    ...errors.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    ...listRest(nErrors - errors.length, "invalid line"),
    ...conflicts.map(
      ({ file, line, trialName, jobName, reviewerId, message }) =>
        `${file}:${line}: ${reviewerId} on ${trialName}${jobName === "" ? "" : ` of ${jobName}`}: ${message}`,
    ),
    ...listRest(nConflicts - conflicts.length, "conflict"),
  ].map((line) => `${makePrintable(line)}\n`);
}

function listRest(n: number, noun: string): readonly string[] {
  return n > 0 ? [`And ${formatPlural(n, `more ${noun}`)}.`] : [];
}

function prepareImportJson({ trials, conflicts, ...report }: ImportReport) {
  return {
    schema: "assay.import/1",
    ...toSnakeCase({ ...report, nTrials: trials.length }),
    conflicts: conflicts.map(toSnakeCase),
  };
}
