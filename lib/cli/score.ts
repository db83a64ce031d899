import { realpathSync } from "node:fs";

import { computeTrialSensitivity, listRewardKeys, prepareSensitivityJson } from "@/lib/core/comparison";
import type { CatalogSnapshot, JobEntry } from "@/lib/core/domain/catalog";
import { listRecordedNames } from "@/lib/core/domain/job";
import {
  decodePythonText,
  deriveOutcome,
  isPyNumber,
  parsePythonJson,
  type Summation,
} from "@/lib/core/scoring";
import { prepareValue } from "@/lib/output/export";
import { describePath } from "@/lib/read/buckets";
import { FILE_LIMITS, readFileBytes } from "@/lib/read/loader";
import { parseRecordedStats } from "@/lib/read/schema/job-files";
import { SUMMATION } from "@/lib/server/view-options";

import { defineCommand, flag, parseOnlyOperand, option, UsageError, parseSummation } from "./command";
import { listRuns, prepareSensitivityText } from "./compare-folders";
import { findExclusions, readRules } from "./known-failures";
import { checkFolder, openFolders } from "./open-folders";
import { type Terminal, warn, writeAll, writeJson } from "./terminal";

export const score = defineCommand({
  listed: { "score JOB": "Print a job's outcome line" },
  usage: ["assay score JOB [OPTIONS]"],
  about: "Prints the outcome line that evaluators derive from the job's result.json.",
  options: {
    "from-trials": flag("Derive it from the trials instead, as if Harbor had just written result.json."),
    sensitivity:
      flag(`Print each group's score under several readings: as recorded, without infrastructure failures,
timeouts or both, without missing rewards, and with all of them 0 or 1; with the number of trials
moved. Infrastructure failures are those that triage calls provider, infrastructure or verifier
failed or out of budget; timeouts are out of time.`),
    data: option("DIR", "Folder with your own rules.toml (default: as in assay view)."),
    json: flag("Print JSON (assay.score/1, or assay.sensitivity/1)."),
    summation: SUMMATION,
  },
  examples: ["assay score jobs/before", "assay score jobs/before --sensitivity"],
  buckets: "results",
  async run({ values, positionals }, terminal) {
    if (values.data !== undefined && !values.sensitivity)
      throw new UsageError("--data applies only with --sensitivity. Add it, or leave out --data.");
    const folder = parseOnlyOperand(positionals, "job folder");
    const summation = parseSummation(values.summation, terminal.env);
    checkFolder(folder);
    if (values.sensitivity) return printSensitivity(terminal, folder, summation, values);
    const isFromTrials = values["from-trials"];
    const line = isFromTrials
      ? findOnlyJob(openFolders(terminal, [folder], summation), folder).report.outcome.recomputed
      : deriveRecorded(terminal, readResultBytes(terminal, folder, summation), summation);
    if (values.json) {
      const source = isFromTrials ? "trials" : "result.json";
      const outcome = prepareOutcome(line);
      const schema = "assay.score/1";
      await writeJson(terminal.stdout, { schema, job: folder, source, summation, line, outcome });
    } else {
      await writeAll(terminal.stdout, [`${line}\n`]);
    }
    return 0;
  },
});

async function printSensitivity(
  terminal: Terminal,
  folder: string,
  summation: Summation,
  { json, data }: { readonly json?: boolean | undefined; readonly data?: string | undefined },
): Promise<number> {
  const snapshot = openFolders(terminal, [folder], summation);
  const { job } = findOnlyJob(snapshot, folder);
  const own = { ...snapshot, jobs: snapshot.jobs.filter((entry) => entry.job === job) };
  const runs = listRuns(own, await findExclusions(own, terminal, readRules(terminal, data)));
  const groups = runs.map(({ group, content: { trials } }) => {
    const key = listRewardKeys([{ trials }])[0]?.key ?? "reward";
    // A ledger excludes missing rewards from its scores, as its page does.
    const missing = job.kind === "ledger" ? "exclude" : "zero";
    const finished = trials.filter(({ counts }) => counts);
    const sensitivity = computeTrialSensitivity(finished, key, { missing });
    return { label: group.key, key, missing, sensitivity };
  });
  if (json)
    await writeJson(terminal.stdout, {
      schema: "assay.sensitivity/1",
      job: folder,
      groups: groups.map(({ label, key, missing, sensitivity }) => ({
        group: label,
        key,
        missing,
        sensitivity: prepareSensitivityJson(sensitivity),
      })),
    });
  else {
    const text = prepareSensitivityText(groups, "zero");
    const none = "Every finished trial has a reward, and no trial failed by infrastructure or timed out.\n";
    await writeAll(terminal.stdout, [text === "" ? none : text]);
  }
  return 0;
}

/** Warns if result.json was written before all planned trials ended, which its outcome line does not show. */
function deriveRecorded(terminal: Terminal, bytes: Uint8Array | null, summation: Summation): string {
  const { line, reasonCode } = deriveOutcome(bytes, summation);
  const result = bytes === null || reasonCode !== null ? null : parsePythonJson(decodePythonText(bytes));
  if (!(result instanceof Map)) return line;
  const { nTotalTrials: nPlanned, counters, groups } = parseRecordedStats(result).stats;
  const nRecorded = counters.get("n_completed_trials") ?? BigInt(listRecordedNames(groups).size);
  if (nPlanned !== null && nRecorded < nPlanned) {
    const counts = `result.json counts ${nRecorded} of ${nPlanned} planned trials`;
    warn(terminal, `${counts}, so this line is incomplete. --from-trials counts the trials in the folder.`);
  }
  return line;
}

/** Returns the fields of an outcome line; `score` as {@link prepareValue} writes it. */
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

/** Raw bytes of the folder's own result.json, else of the only job below it. */
function readResultBytes(terminal: Terminal, folder: string, summation: Summation): Uint8Array | null {
  const root = { index: 0, label: folder, path: realpathSync(folder) };
  const reading = readFileBytes(root, "result.json", FILE_LIMITS.result.bytes);
  if (reading.kind === "refused") throw new UsageError(`${reading.issue.path}: ${reading.issue.detail}`);
  if (reading.kind === "read") return reading.bytes;
  const { job } = findOnlyJob(openFolders(terminal, [folder], summation), folder);
  if (job.kind === "ledger") {
    const words = "A ledger records no outcome. Use --from-trials to compute one from its records.";
    terminal.stderr.write(`${words}\n`);
  }
  return job.resultBytes;
}

function findOnlyJob({ jobs }: CatalogSnapshot, folder: string): JobEntry {
  const own = jobs.filter(({ job }) => job.folder === "");
  // If jobs share the folder, the result.json in it belongs to one of them.
  const stated = own.filter(({ job }) => job.resultBytes !== null);
  const [job, second] = [stated, own].find((found) => found.length === 1) ?? jobs;
  if (job === undefined) throw new UsageError(`No Harbor job or ledger in ${describePath(folder)}.`);
  if (second !== undefined) {
    throw new UsageError(
      `${describePath(folder)} contains ${jobs.length} jobs; choose one, such as ${describePath(job.path)}.`,
    );
  }
  return job;
}
