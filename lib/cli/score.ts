import { realpathSync } from "node:fs";

import type { JobEntry } from "@/lib/domain/catalog";
import { prepareValue } from "@/lib/export";
import { FILE_LIMITS, readFileBytes } from "@/lib/loader";
import { deriveOutcome, isPyNumber, parsePythonJson, type Summation } from "@/lib/scoring";

import { parseCommandLine, parseOnlyOperand, UsageError } from "./command-line";
import { checkFolder, openFolders, parseSummation } from "./open-folders";
import { type Terminal, writeAll, writeJson } from "./terminal";

/** `assay score`: the outcome line of one job. */
export async function runScore(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    "from-trials": { type: "boolean" },
    json: { type: "boolean" },
    summation: { type: "string" },
  });
  const folder = parseOnlyOperand(positionals, "job folder");
  const summation = parseSummation(values.summation, terminal.env);
  checkFolder(folder);
  const isFromTrials = values["from-trials"] === true;
  const line = isFromTrials
    ? findOnlyJob(terminal, folder, summation).report.outcome.recomputed
    : deriveOutcome(readResultBytes(terminal, folder, summation), summation).line;
  if (values.json === true) {
    const source = isFromTrials ? "trials" : "result.json";
    const outcome = prepareOutcome(line);
    const schema = "assay.score/1";
    await writeJson(terminal.stdout, { schema, job: folder, source, summation, line, outcome });
  } else {
    await writeAll(terminal.stdout, [`${line}\n`]);
  }
  return 0;
}

/** The fields of an outcome line; `score` as {@link prepareValue} writes it. */
function prepareOutcome(line: string): Record<string, unknown> {
  const summary = parsePythonJson(line.slice(line.indexOf("=") + 1));
  if (!(summary instanceof Map)) return {};
  const outcome: Record<string, unknown> = {};
  for (const [name, value] of summary) {
    if (name === "score" && isPyNumber(value)) outcome[name] = prepareValue(value);
    else outcome[name] = typeof value === "bigint" ? Number(value) : value;
  }
  return outcome;
}

/** The bytes of the folder's own result.json, whatever they are; else those of the only job below it. */
function readResultBytes(terminal: Terminal, folder: string, summation: Summation): Uint8Array | null {
  const root = { index: 0, label: folder, path: realpathSync(folder) };
  const reading = readFileBytes(root, "result.json", FILE_LIMITS.result.bytes);
  if (reading.kind === "refused") throw new UsageError(`${reading.issue.path}: ${reading.issue.detail}`);
  if (reading.kind === "read") return reading.bytes;
  const { job } = findOnlyJob(terminal, folder, summation);
  if (job.kind === "ledger") {
    const words = "This is a ledger, which records no outcome. --from-trials computes one from its records.";
    terminal.stderr.write(`${words}\n`);
  }
  return job.resultBytes;
}

function findOnlyJob(terminal: Terminal, folder: string, summation: Summation): JobEntry {
  const { jobs } = openFolders(terminal, [folder], summation);
  const own = jobs.filter(({ job }) => job.folder === "");
  // Where jobs share the folder, it is that of the one whose result.json stands in it.
  const stated = own.filter(({ job }) => job.resultBytes !== null);
  const [job, second] = [stated, own].find((found) => found.length === 1) ?? jobs;
  if (job === undefined) throw new UsageError(`Found no Harbor job or ledger in ${folder}.`);
  if (second !== undefined) {
    throw new UsageError(`${folder} holds ${jobs.length} jobs; name one of them, such as ${job.path}.`);
  }
  return job;
}
