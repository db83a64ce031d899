import { createReadStream, mkdirSync } from "node:fs";
import { join } from "node:path";

import { formatPlural } from "@/lib/core/format/number";
import { JUDGMENT_TABLE, writeExport } from "@/lib/output/export";
import {
  type AnnotationStore,
  importAnnotations,
  openAnnotationStore,
  prepareReviewerFiles,
  readExport,
  resolveAnnotationTarget,
  writeJsonLines,
  writeLangfuseScores,
} from "@/lib/people/annotations";

import { parseChoice, parseCommandLine, UsageError } from "./command-line";
import { describeImport, prepareImportJson } from "./describe-import";
import { checkFile, checkFolder, withData } from "./open-folders";
import { makePrintable, type Terminal, writeAll, writeJson } from "./terminal";
import { checkOutsideJobs, writeFileAtOnce } from "./write-file";

/** Runs `assay annotations export` and `import`. */
export async function runAnnotations(args: readonly string[], terminal: Terminal): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === "export") return runExport(rest, terminal);
  if (verb === "import") return runImport(rest, terminal);
  throw new UsageError("The commands here are: assay annotations export, assay annotations import.");
}

/** Returns 1 if stored data cannot be read. */
async function runExport(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    data: { type: "string" },
    format: { type: "string" },
    history: { type: "boolean" },
    queue: { type: "string" },
    job: { type: "string" },
    reviewer: { type: "string" },
    "per-reviewer": { type: "string" },
    output: { type: "string" },
  });
  if (positionals[0] !== undefined) throw new UsageError(`An export takes no operand ${positionals[0]}.`);
  const format = parseChoice(values.format ?? "jsonl", ["jsonl", "csv", "parquet", "langfuse"], "format");
  const { output, data, queue, job, reviewer, "per-reviewer": folder } = values;
  if (folder !== undefined && (output !== undefined || values.format !== undefined))
    throw new UsageError("--per-reviewer writes files of its own: leave out --format and --output.");
  if (format === "parquet" && output === undefined)
    throw new UsageError("Parquet is binary: name a file with --output FILE.");
  for (const place of [folder, output]) if (place !== undefined) checkOutsideJobs(place);
  return withStore(data, terminal, async (store) => {
    const history = values.history === true || folder !== undefined;
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
    else await writeAll(terminal.stdout, asText(pieces()));
    if (content.problem === null) return 0;
    terminal.stderr.write(`assay: ${makePrintable(content.problem)}\n`);
    return 1;
  });
}

async function* asText(
  pieces: Iterable<string> | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string> {
  for await (const piece of pieces) yield typeof piece === "string" ? piece : "";
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
async function runImport(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals: files } = parseCommandLine(args, {
    data: { type: "string" },
    "dry-run": { type: "boolean" },
    json: { type: "boolean" },
    admin: { type: "boolean" },
  });
  if (files.length === 0) throw new UsageError("Name the files to import.");
  for (const file of files) checkFile(file);
  return withStore(values.data, terminal, async (store) => {
    const sources = files.map((name) => ({ name, bytes: createReadStream(name) }));
    const report = await importAnnotations(store, sources, {
      isDryRun: values["dry-run"] === true,
      actor: { browserKeyHash: null, isAdmin: values.admin === true },
    });
    if (values.json === true) await writeJson(terminal.stdout, prepareImportJson(report));
    else await writeAll(terminal.stdout, describeImport(report));
    return report.nErrors + report.nConflicts > 0 ? 1 : 0;
  });
}

async function withStore(
  data: string | undefined,
  terminal: Terminal,
  work: (store: AnnotationStore) => Promise<number>,
): Promise<number> {
  if (data !== undefined) checkFolder(data);
  const store = openAnnotationStore(resolveAnnotationTarget(withData(terminal.env, data)));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
