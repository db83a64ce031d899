import "server-only";
import { formatCurvesCsv } from "@/lib/core/charts/curve-csv";
import type { ComparedGroups } from "@/lib/core/comparison";
import { NotFoundError, StoreError, ValidationError } from "@/lib/core/domain/app-error";
import { LOAD_ADVICE } from "@/lib/core/format/load-advice";
import { prepareReport, type Report, type ReportJob } from "@/lib/output/report";
import { refuseUnknown } from "@/lib/pages/address/address";
import { type CompareFilter, readCompareRequest } from "@/lib/pages/compare/address";
import { hashResults, readApart } from "@/lib/read/trial-reading";
import { type IndexStore, readJobRules } from "@/lib/store/tables";
import manifest from "@/package.json";

import { type ChosenGroup, openGroups, type Run } from "./groups";
import { type Comparison, type FoundGroup, getComparePage, getFigures } from "./page";

/** @throws ValidationError for an unknown value; NotFoundError with fewer than two groups */
export async function readComparison(url: string) {
  const filter = readCompareRequest(url);
  const { comparison, unknown } = await getComparePage(filter);
  refuseUnknown([...(unknown.length === 0 ? [] : ["g"]), ...(comparison?.unknown ?? [])]);
  if (comparison === null) throw new NotFoundError("Choose at least two groups.");
  return { comparison, filter };
}

/** @throws as {@link readComparison} */
export async function getCurvesCsv(url: string): Promise<string> {
  const { comparison, filter } = await readComparison(url);
  return formatComparisonCsv(comparison, filter);
}

function nameInFile({ runs }: FoundGroup) {
  return {
    job: runs.map(({ job }) => job.name).join(" + "),
    group: [...new Set(runs.map(({ group }) => group.key))].join(" + "),
  };
}

/** Levels first, then paired differences. */
export function formatComparisonCsv(comparison: Comparison, filter: CompareFilter): string {
  const levels = comparison.groups.map((group) => ({
    ...nameInFile(group),
    versus: null,
    curve: group.curve,
    recorded: group.recorded,
  }));
  const differences = comparison.pairs.map(({ first, second, difference }) => ({
    ...nameInFile(first),
    versus: Object.values(nameInFile(second)).join(": "),
    curve: difference,
  }));
  const { threshold, missing, rule, tasks } = filter;
  return formatCurvesCsv([...levels, ...differences], {
    key: comparison.key,
    threshold,
    missing,
    rule,
    tasks,
  });
}

/** Ignores the k of the page. @throws as {@link readComparison} */
export async function getCurvesFile(url: string) {
  const { groups, charts, caption } = (await readComparison(url)).comparison;
  const title = groups.map(({ label }) => label).join(", ");
  return { charts: charts.map((chart) => ({ ...chart, chosen: null })), title, caption };
}

/**
 * @throws ValidationError for an unknown value or a part of a group; NotFoundError with fewer than two groups; StoreError if files
 * changed since their job was read, and while trials are not classified
 */
export async function getReport(url: string): Promise<Report> {
  const { comparison, filter } = await readComparison(url);
  return makeReport(await openGroups(comparison.groups), comparison, filter);
}

export async function makeReport(
  store: IndexStore,
  comparison: Comparison,
  filter: CompareFilter,
): Promise<Report> {
  const { groups } = comparison;
  if (groups.some(({ runs }) => runs.some(({ group, figureKey }) => group.key !== figureKey)))
    throw new ValidationError(
      "Reports cover whole groups and run sets. Choose the whole group instead of a part with the same agent settings.",
      {},
    );
  const rules = await readRules(store, groups);
  return prepareReport({
    compared: toCompared(comparison, filter),
    jobs: await hashRuns(groups),
    summation: process.env["ASSAY_SUMMATION"] === "sequential" ? "sequential" : "cpython-3.12",
    version: manifest.version,
    rules,
    command: null,
  });
}

/** A report must not mix versions of the rules. @throws StoreError */
async function readRules(store: IndexStore, groups: readonly ChosenGroup[]): Promise<string> {
  const jobs = new Map(groups.flatMap(({ runs }) => runs.map(({ job }) => [job.rowId, job])));
  const known = await readJobRules(store, [...jobs.keys()]);
  const [rules = "", ...others] = new Set([...known.values()].map((one) => one.rules));
  const pending = [...jobs.values()].find(({ rowId }) => known.get(rowId)?.rules === "");
  if (pending !== undefined || others.length > 0)
    throw makeUnavailable(
      `Trials of ${pending?.name ?? "these groups"} are still being classified, and a report must not mix two sets of rules. Try again once the triage page is done, or use assay report, which classifies them itself.`,
    );
  for (const { rowId, name, version } of jobs.values())
    if (known.get(rowId)?.version !== version) throw makeChangedError(name);
  for (const group of groups) checkClasses(group, known);
  return rules;
}

/** @throws StoreError if trials have no class although their job was classified */
function checkClasses({ trials, runs, label }: ChosenGroup, known: Awaited<ReturnType<typeof readJobRules>>) {
  if (trials.every(({ exclusion }) => exclusion !== "unknown")) return;
  const faults = runs.flatMap(({ job }) => {
    const fault = known.get(job.rowId)?.fault ?? null;
    return fault === null ? [] : [{ name: job.name, fault }];
  });
  const { name, fault } = faults[0] ?? { name: label, fault: "They have no class." };
  throw makeUnavailable(
    `Some trials of ${name} could not be classified, and the report requires it. ${fault} ${LOAD_ADVICE.classifying_failed}`,
  );
}

function makeChangedError(job: string): StoreError {
  return makeUnavailable(`The files of ${job} changed since they were read. Try again in a moment.`);
}

function makeUnavailable(message: string): StoreError {
  return new StoreError("store_unavailable", message);
}

export function toCompared({ groups, key, checks }: Comparison, filter: CompareFilter): ComparedGroups {
  const { threshold, missing, rule, tasks } = filter;
  return { groups, figures: getFigures(groups, key, filter), key, threshold, missing, rule, tasks, checks };
}

async function hashRuns(groups: readonly ChosenGroup[]): Promise<readonly ReportJob[]> {
  const runs = groups.flatMap((group) =>
    group.runs.map((run, at) => ({ run, trials: group.contents[at]?.trials ?? [] })),
  );
  const jobs = [...new Map(runs.map(({ run: { job } }) => [job.key, job])).values()];
  const byRoot = [...Map.groupBy(jobs, findRoot)];
  const hashed = await Promise.all(
    byRoot.map(async ([root, own]) => {
      const found = await readApart(
        "job-hashes",
        root,
        root,
        own.map(({ folder }) => folder),
      );
      return own.map((job) => ({
        job,
        hashes: found.find(({ folder, uuid }) => folder === job.folder && uuid === job.uuid),
      }));
    }),
  );
  const byKey = new Map(hashed.flat().map(({ job, hashes }) => [job.key, hashes]));
  for (const { run, trials } of runs) {
    const now = byKey.get(run.job.key)?.results.find(({ group }) => group === run.group.key);
    if (now?.sha256 !== hashResults(trials)) throw makeChangedError(run.job.name);
  }
  return jobs.flatMap(({ key, name, uuid }) => {
    const hashes = byKey.get(key);
    return hashes === undefined ? [] : [{ key, name, uuid, files: hashes.files, sha256: hashes.sha256 }];
  });
}

function findRoot({ path, folder }: Run["job"]): string {
  return folder === "" ? path : path.slice(0, -folder.length - 1);
}
