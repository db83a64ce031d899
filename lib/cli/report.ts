import { readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

import type { ComparedGroups } from "@/lib/core/comparison";
import { isBucketAddress } from "@/lib/core/domain/bucket";
import type { CatalogSnapshot } from "@/lib/core/domain/catalog";
import type { RuleSet } from "@/lib/core/triage/rules";
import {
  compareReports,
  type Report,
  readReportDocument,
  type ReportDocument,
  prepareReport,
  type ReportInput,
  type ReportJob,
} from "@/lib/output/report";
import { describePath } from "@/lib/read/buckets";
import { hashJobs } from "@/lib/read/loader";
import { SUMMATION } from "@/lib/server/view-options";

import { defineCommand, option, UsageError, parseSummation } from "./command";
import {
  COMPARE_OPTIONS,
  compareFolders,
  compareNamed,
  joinPooled,
  listRuns,
  parseCompareChoice,
  poolFolders,
} from "./compare-folders";
import { readRules, findExclusions } from "./known-failures";
import { checkFile, openFolders } from "./open-folders";
import { checkOutput, writeFileAtOnce } from "./output-file";
import { type Terminal, makePrintable, readVersion, writeAll } from "./terminal";

export const report = defineCommand({
  listed: { "report JOB ...": "Write a comparison as one HTML file, or check one" },
  usage: ["assay report JOB ... [OPTIONS]", "assay report --check FILE [DIR ...]"],
  about: `Writes the comparison of assay compare as one HTML file without scripts or network access: verdict, figures, curves, tasks,
methods, checks, inputs, and the SHA-256 of every input file. The same jobs, options and custom rules give the same bytes.`,
  options: {
    check: option(
      "FILE",
      `Recompute a report and print every file or figure that changed; exit with 1 if there is one. Jobs are found
relative to the file, or in each DIR.`,
    ),
    output: {
      ...option("FILE", "Write to FILE instead of standard output; must be outside the job folders."),
      short: "o",
    },
    ...COMPARE_OPTIONS,
    pool: option("RULE", "Pool runs, as in assay compare."),
    summation: SUMMATION,
  },
  examples: [
    "assay report jobs/before jobs/after --output report.html",
    "assay report --check report.html jobs",
  ],
  async run({ values, positionals }, terminal) {
    const { check, output, ...options } = values;
    if (check !== undefined) {
      const others = Object.keys(values).filter((name) => name !== "check" && name !== "data");
      if (others.length > 0)
        throw new UsageError(
          `--check uses the options of the report; leave out --${others.join(" and --")}.`,
        );
      return checkReport(check, { folders: positionals, data: values.data }, terminal);
    }
    if (positionals.length === 0) throw new UsageError("Pass at least one job folder.");
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
  },
});

const MOST_BYTES = 16 << 20;
const MOST_LINES = 50;

/**
 * Recomputes a report from its folders, or from the given ones.
 *
 * @param from.data - folder of the user's own rules; the usual one by default
 * @returns 0 when it holds, else 1
 */
async function checkReport(
  file: string,
  from: { readonly folders: readonly string[]; readonly data: string | undefined },
  terminal: Terminal,
): Promise<number> {
  const html = readReport(file);
  const then = readReportDocument(html);
  if (then === null)
    throw new UsageError(`${file} is not a report of this version of assay report, or it is truncated.`);
  const rules = readRules(terminal, from.data);
  const now = await recompute(file, from.folders, { then, rules }, terminal);
  const differences = compareReports(then, now.document);
  const lines = differences.slice(0, MOST_LINES).map(({ kind, detail }) => `${kind}: ${detail}`);
  if (differences.length > MOST_LINES) lines.push(`and ${differences.length - MOST_LINES} more.`);
  const altered = differences.length === 0 && (await isAltered(html, then, now));
  if (altered) lines.push("text: The page does not match its figures; it was edited.");
  if (then.rules !== undefined && then.rules !== rules.version)
    lines.push(`rules: The report used rules ${then.rules}; the current ones are ${rules.version}.`);
  const nFiles = then.jobs.reduce((sum, job) => sum + job.n_files, 0);
  lines.push(
    differences.length === 0 && !altered
      ? `The report is valid: ${nFiles} files and all figures are unchanged.`
      : "The report is no longer valid.",
  );
  await writeAll(terminal.stdout, [lines.map((line) => `${makePrintable(line)}\n`).join("")]);
  return differences.length > 0 || altered ? 1 : 0;
}

function readReport(file: string): string {
  checkFile(file);
  if (statSync(file).size > MOST_BYTES) throw new UsageError(`${file} is too large to be a report.`);
  return readFileSync(file, "utf8");
}

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
      `The jobs of ${file} are in a bucket. Add its URL: assay report --check FILE ${written.join(" ")}`,
    );
  const folders = named.length > 0 ? named : written.map((folder) => resolve(dirname(file), folder));
  if (folders.length === 0)
    throw new UsageError(
      `${file} was downloaded from a page and has no job folders. Add them after the file.`,
    );
  const gone = folders.find((folder) => statSync(folder, { throwIfNoEntry: false }) === undefined);
  if (gone !== undefined)
    throw new UsageError(`Folder ${gone} does not exist. Add the job folders after ${file}.`);
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
        throw new UsageError(`No group ${key} of a job ${job?.name ?? ""} in ${folders.join(", ")}.`);
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

function makeReport(
  snapshot: CatalogSnapshot,
  compared: ComparedGroups,
  inputs: Pick<ReportInput, "summation" | "rules" | "command">,
): Report {
  const jobs = hashCompared(snapshot, compared);
  return prepareReport({ compared, jobs, version: readVersion(), ...inputs });
}

async function drawReport(report: Report): Promise<string> {
  // Loaded here: no other command renders.
  const [{ renderToStaticMarkup }, { writeReport }] = await Promise.all([
    import("react-dom/server"),
    import("@/components/report/write-report"),
  ]);
  return writeReport(report, renderToStaticMarkup);
}

function hashCompared({ jobs, roots }: CatalogSnapshot, { groups }: ComparedGroups): readonly ReportJob[] {
  const keys = new Set(groups.flatMap(({ runs }) => runs.map(({ job }) => job.key)));
  const byRoot = Map.groupBy(
    jobs.filter(({ job }) => keys.has(job.key)).map(({ job }) => job),
    ({ root }) => root,
  );
  const hashed = [...byRoot].flatMap(([root, own]) => {
    const found = hashJobs(
      roots[root]?.path ?? "",
      own.map(({ folder }) => folder),
    );
    return own.flatMap(({ key, name, uuid, folder }) => {
      const job = found.find((one) => one.folder === folder && one.uuid === uuid);
      return job === undefined ? [] : [{ key, name, uuid, files: job.files, sha256: job.sha256 }];
    });
  });
  // In the order of the comparison, independent of other open jobs.
  const byKey = new Map(hashed.map((job) => [job.key, job]));
  return [...keys].flatMap((key) => byKey.get(key) ?? []);
}
