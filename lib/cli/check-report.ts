import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { isBucketAddress } from "@/lib/core/domain/bucket";
import type { RuleSet } from "@/lib/core/triage/rules";
import { compareReports, type Report, readReportDocument, type ReportDocument } from "@/lib/output/report";

import { UsageError } from "./command-line";
import { compareNamed } from "./compare-folders";
import { listRuns, joinPooled } from "./compare-runs";
import { findExclusions, readRules } from "./known-failures";
import { drawReport, makeReport } from "./make-report";
import { checkFile, openFolders } from "./open-folders";
import { makePrintable, type Terminal, writeAll } from "./terminal";
import { readVersion } from "./version";

const MOST_BYTES = 16 << 20;
const MOST_LINES = 50;

/**
 * Recomputes a report from its folders, or from the given ones.
 *
 * @param from.data - folder of the user's own rules; the usual one by default
 * @returns 0 when it holds, else 1
 */
export async function checkReport(
  file: string,
  from: { readonly folders: readonly string[]; readonly data: string | undefined },
  terminal: Terminal,
): Promise<number> {
  const html = readReport(file);
  const then = readReportDocument(html);
  if (then === null)
    throw new UsageError(`${file} is no report that assay report of this version writes, or it was cut off.`);
  const rules = readRules(terminal, from.data);
  const now = await recompute(file, from.folders, { then, rules }, terminal);
  const differences = compareReports(then, now.document);
  const lines = differences.slice(0, MOST_LINES).map(({ kind, detail }) => `${kind}: ${detail}`);
  if (differences.length > MOST_LINES) lines.push(`and ${String(differences.length - MOST_LINES)} more.`);
  const altered = differences.length === 0 && (await isAltered(html, then, now));
  if (altered)
    lines.push("text: The page shows something else than its figures say; it was changed by hand.");
  if (then.rules !== undefined && then.rules !== rules.version)
    lines.push(`rules: It was written by the rules ${then.rules}, and those in force are ${rules.version}.`);
  const nFiles = then.jobs.reduce((sum, job) => sum + job.n_files, 0);
  lines.push(
    differences.length === 0 && !altered
      ? `The report holds: ${String(nFiles)} files and every figure are the same.`
      : "The report does not hold.",
  );
  await writeAll(terminal.stdout, [lines.map((line) => `${makePrintable(line)}\n`).join("")]);
  return differences.length > 0 || altered ? 1 : 0;
}

function readReport(file: string): string {
  checkFile(file);
  if (statSync(file).size > MOST_BYTES) throw new UsageError(`${file} is too large to be a report.`);
  return readFileSync(file, "utf8");
}

/** @throws UsageError when a folder or a run of the report is missing */
async function recompute(
  file: string,
  named: readonly string[],
  { then, rules }: { readonly then: ReportDocument; readonly rules: RuleSet },
  terminal: Terminal,
): Promise<Report> {
  const { inputs, command } = then;
  const written = command?.folders ?? [];
  if (named.length === 0 && written.some(isBucketAddress))
    throw new UsageError(
      `The jobs of ${file} are in a bucket. Name it behind the file: assay report --check FILE ${written.join(" ")}`,
    );
  const folders = named.length > 0 ? named : written.map((folder) => resolve(dirname(file), folder));
  if (folders.length === 0)
    throw new UsageError(
      `A page wrote ${file}, so it does not know where its jobs are. Name their folders behind it.`,
    );
  const gone = folders.find((folder) => statSync(folder, { throwIfNoEntry: false }) === undefined);
  if (gone !== undefined)
    throw new UsageError(`There is no folder ${gone}. Name the folders of the jobs behind ${file}.`);
  const snapshot = openFolders(terminal, folders, inputs.summation);
  const runs = listRuns(snapshot, await findExclusions(snapshot, terminal, rules));
  const uuids = new Map(snapshot.jobs.map(({ job }) => [job.key, job.uuid]));
  const sets = inputs.groups.flatMap((group) => {
    const [first, ...others] = group.runs.map(({ job: place, group: key }) => {
      const job = then.jobs[place];
      const run = runs.find(
        (one) => one.group.key === key && one.job.name === job?.name && uuids.get(one.job.key) === job.uuid,
      );
      if (run === undefined)
        throw new UsageError(`Found no group ${key} of a job ${job?.name ?? ""} in ${folders.join(", ")}.`);
      return run;
    });
    return first === undefined ? [] : [{ runs: [first, ...others] as const, givenName: group.given_name }];
  });
  const { summation, key, threshold, missing, rule, tasks } = inputs;
  const compared = compareNamed(joinPooled(sets), { key, threshold, missing, rule, tasks });
  // It uses the same rules, so a different page was edited.
  return makeReport(snapshot, compared, { summation, command, rules: then.rules });
}

/** True if the same version of Assay writes another page for the same document. Unknown for other versions, which may differ. */
async function isAltered(html: string, then: ReportDocument, now: Report): Promise<boolean> {
  return then.assay_version === readVersion() && html !== (await drawReport(now));
}
