import type { ChartGroup } from "@/lib/core/charts/chart-group";
import { listMeasures, prepareCurveChart } from "@/lib/core/charts/curve-chart";
import {
  describeCounting,
  type ComparabilityCheck,
  type ComparedGroups,
  checkRuns,
  describeAdjustment,
  describeCurves,
  listPairs,
  prepareCompareJson,
  groupByTask,
  readRewardAt,
} from "@/lib/core/comparison";
import { compareNames } from "@/lib/core/domain/compare-text";
import { SCORING_WORDS } from "@/lib/core/domain/scoring-choice";
import { applyMissingRule, compareTaskMeans, computeMean, countSuccesses } from "@/lib/core/stats";

import { REPORT_SCHEMA, type ReportDocument } from "./document";

export interface ReportJob {
  readonly key: string;
  readonly name: string;
  readonly uuid: string | null;
  /** By path, relative to the job's folder. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly sha256: string;
}

export interface ReportInput extends Pick<ReportDocument, "command"> {
  readonly compared: ComparedGroups;
  /** At least the jobs of all compared runs. */
  readonly jobs: readonly ReportJob[];
  readonly summation: ReportDocument["inputs"]["summation"];
  readonly version: string;
  readonly rules: string | undefined;
}

export type Report = ReturnType<typeof prepareReport>;

/** Prepares a report. Deterministic: the same input always gives the same report. */
export function prepareReport(input: ReportInput) {
  const { compared } = input;
  const { groups, figures, key, checks } = compared;
  const charts = identifyGroups(groups);
  const curves = prepareReportCharts(compared, charts);
  const captioned = groups.flatMap(({ label }, at) => {
    const own = figures.groups[at];
    return own === undefined ? [] : [{ label, curve: own.curve, recorded: own.recorded }];
  });
  const ks = captioned.flatMap(({ curve }) =>
    curve.kind === "computed" ? curve.points.map(({ k }) => k) : [],
  );
  return {
    document: prepareDocument(input),
    title: [...groups.slice(1), ...groups.slice(0, 1)].map(({ label }) => label).join(" vs "),
    summary: describeRule(compared),
    groups: groups.flatMap((group, at) => {
      const [chart, own] = [charts[at], figures.groups[at]];
      if (chart === undefined || own === undefined) return [];
      const jobs = group.runs.map(({ job }) => job.name);
      return [{ chart, jobs, nTrials: group.trials.length, cells: own.cells, ...group.figures }];
    }),
    pairs: listPairs(groups, figures),
    adjustment: describeAdjustment(figures.pairs.length),
    checks: [...checks, ...groups.flatMap(listRunChecks)],
    charts: curves,
    caption: describeCurves(
      {
        groups: captioned,
        charts: curves,
        ks: [...new Set(ks)].sort((a, b) => a - b),
        key,
        nCommon: figures.commonTasks.length,
        counting: describeCounting(compared, groups),
      },
      compared,
    ),
    matrix: prepareReportMatrix(compared),
  };
}

/** Returns each failed condition of a run set, and one line for the others. */
function listRunChecks(group: ComparedGroups["groups"][number]): readonly ComparabilityCheck[] {
  const own = checkRuns(group);
  const same = own.filter(({ state }) => state === "same").map(({ name }) => name);
  return [
    ...own
      .filter(({ state }) => state !== "same")
      .map((check) => ({ ...check, name: `${group.label}: ${check.name}` })),
    ...(same.length === 0
      ? []
      : [
          {
            name: `${group.label}: runs`,
            state: "same" as const,
            detail: `The same in all runs: ${same.join(", ")}.`,
          },
        ]),
  ];
}

function describeRule({ groups, figures, key, threshold, missing, rule }: ComparedGroups): string {
  const nCommon = figures.commonTasks.length;
  const counted = describeCounting({ rule, missing }, groups);
  return `${String(nCommon)} of ${String(figures.allTasks.length)} tasks in every group, reward key ${key}, passed at ${String(threshold)}, ${counted}, scoring rule ${SCORING_WORDS[rule]}.`;
}

/** Jobs with more files have one hash of all. */
const MOST_FILES = 7_000;

function prepareDocument({
  compared,
  jobs,
  summation,
  version,
  rules,
  command,
}: ReportInput): ReportDocument {
  const { groups, key, threshold, missing, rule, tasks } = compared;
  const used = new Set(groups.flatMap(({ runs }) => runs.map(({ job }) => job.key)));
  const own = jobs.filter((job) => used.has(job.key));
  const places = new Map(own.map((job, at) => [job.key, at]));
  const isListed = own.reduce((sum, { files }) => sum + files.length, 0) <= MOST_FILES;
  return {
    schema: REPORT_SCHEMA,
    assay_version: version,
    ...(rules === undefined ? {} : { rules }),
    inputs: {
      groups: groups.map(({ label, givenName, runs }) => ({
        name: label,
        given_name: givenName,
        runs: runs.map(({ job, group }) => ({ job: places.get(job.key) ?? -1, group: group.key })),
      })),
      key,
      threshold,
      missing,
      rule,
      tasks,
      summation,
    },
    command,
    jobs: own.map(({ name, uuid, sha256, files: list }) => ({
      name,
      uuid,
      n_files: list.length,
      sha256,
      files: isListed ? list.map(({ path, sha256: hash }) => [path, hash] as [string, string]) : null,
    })),
    score_checks: groups.map(({ label, figures: { nFigures, nExact } }) => ({
      name: label,
      n_figures: nFigures,
      n_exact: nExact,
    })),
    // As parsed JSON, so that written and re-read reports compare equal.
    comparison: JSON.parse(JSON.stringify(prepareCompareJson(compared))) as ReportDocument["comparison"],
  };
}

function identifyGroups(groups: ComparedGroups["groups"]): readonly ChartGroup[] {
  return groups.map(({ label }, at) => ({ id: String(at), label, identity: at + 1, variant: 0 }));
}

/** Prepares pass@k and pass^k of every group, or the single share where no task has a second attempt. */
function prepareReportCharts({ figures }: ComparedGroups, chartGroups: readonly ChartGroup[]) {
  const inputs = figures.groups.flatMap(({ curve, recorded }, at) => {
    const group = chartGroups[at];
    return group === undefined ? [] : [{ group, curve, recorded }];
  });
  const curves = figures.groups.flatMap(({ curve }) => (curve.kind === "computed" ? [curve] : []));
  if (curves.length === 0) return [];
  return listMeasures(curves).map((words) =>
    prepareCurveChart(inputs, { ...words, id: words.measure, chosenK: null }),
  );
}

/** A report should be small enough to send. */
const MOST_CELLS = 8_000;
const MOST_LEVELS = 5;

/** `rows` may hold only the first of `nTasks`. With `hasMeans`, some reward is neither 0 nor 1. */
function prepareReportMatrix(compared: ComparedGroups) {
  const { groups, figures, key } = compared;
  const byGroup = groups.map(({ trials }) => groupByTask(trials));
  const rows = figures.allTasks.map((task) => {
    const cells = byGroup.map((trialsOf) => prepareCell(task, trialsOf.get(task) ?? [], compared));
    const means = cells.flatMap(({ mean }) => mean ?? []);
    return {
      task,
      cells,
      spread: means.length < cells.length ? null : Math.max(...means) - Math.min(...means),
    };
  });
  const sorted = rows.toSorted((a, b) => compareSpreads(a.spread, b.spread) || compareNames(a.task, b.task));
  return {
    rows: sorted.slice(0, Math.floor(MOST_CELLS / (groups.length + 1))),
    nTasks: rows.length,
    hasMeans: groups.some(({ trials }) =>
      trials.some((trial) => ![null, 0, 1].includes(readRewardAt(trial, key))),
    ),
  };
}

function prepareCell(
  task: string,
  trials: ComparedGroups["groups"][number]["trials"],
  { key, threshold, missing }: ComparedGroups,
) {
  const finished = trials.filter(({ counts }) => counts);
  const values = [{ task, values: finished.map((trial) => readRewardAt(trial, key)) }];
  const [counts] = countSuccesses(values, { threshold, missing });
  const [complete] = applyMissingRule(values, missing).tasks;
  const { n = 0, c = 0 } = counts ?? {};
  return {
    n,
    c,
    /** Colour by the share that passes. */
    level: n === 0 ? 0 : Math.round((c / n) * MOST_LEVELS),
    /** Null if no attempt counts or a reward is not finite. */
    mean:
      complete !== undefined && complete.values.length > 0 && complete.values.every(Number.isFinite)
        ? computeMean(complete.values)
        : null,
  };
}

/** Largest first; tasks that not every group has come last. */
function compareSpreads(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareTaskMeans(b, a);
}
