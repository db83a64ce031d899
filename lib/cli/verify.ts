import type { CatalogSnapshot, JobEntry } from "@/lib/core/domain/catalog";
import { compareNames } from "@/lib/core/domain/compare-text";
import {
  NO_COUNTS,
  type VerdictCounts,
  type Figure,
  type RecomputedGroup,
} from "@/lib/core/domain/verification";
import { formatPlural, MISSING } from "@/lib/core/format/number";
import type { Summation } from "@/lib/core/scoring";
import { prepareRewards, prepareValue } from "@/lib/output/export";
import { describePath } from "@/lib/read/buckets";
import { SUMMATION } from "@/lib/server/view-options";

import { defineCommand, flag, UsageError, parseSummation } from "./command";
import { openFolders } from "./open-folders";
import { makePrintable, writeAll, writeJson } from "./terminal";
import { formatRows, type Column } from "./text-table";

export const verify = defineCommand({
  listed: { "verify JOB ...": "Compare every recorded figure with the recomputed one" },
  usage: ["assay verify JOB ... [OPTIONS]"],
  about: `Recomputes metrics, pass@k, counters, lists, rewards and outcome of every job in or below each JOB, and reports each
recorded figure as exact, differs by N ulp, explained by a rule of Harbor, mismatch, not recorded, incomplete (some of
the data it was computed from is missing), or unknown rule (it differs, and a Harbor newer than this Assay wrote it).`,
  options: {
    json: flag("Print JSON (assay.verify/3)."),
    all: flag("List exact figures too."),
    strict: flag("Also exit with 1 on incomplete data and unknown rules."),
    summation: SUMMATION,
  },
  examples: ["assay verify jobs --strict"],
  buckets: "results",
  async run({ values, positionals }, terminal) {
    if (positionals.length === 0) throw new UsageError("Pass at least one job folder.");
    const summation = parseSummation(values.summation, terminal.env);
    const snapshot = openFolders(terminal, positionals, summation);
    if (snapshot.jobs.length === 0)
      throw new UsageError(`No Harbor job or ledger in ${positionals.map(describePath).join(", ")}.`);
    const counts = sumCounts(snapshot);
    if (values.json) await writeJson(terminal.stdout, prepareVerifyJson(snapshot, counts, summation));
    else await writeAll(terminal.stdout, prepareVerifyText(snapshot, counts, values.all));
    const all = sumCounts({ jobs: [...snapshot.jobs, ...snapshot.copies] });
    const nOpen = values.strict ? all.incomplete + all["unknown-rule"] : 0;
    return all.mismatch + nOpen > 0 ? 1 : 0;
  },
});

function sumCounts({ jobs }: Pick<CatalogSnapshot, "jobs">): VerdictCounts {
  const sum = { ...NO_COUNTS };
  for (const { report } of jobs)
    for (const verdict of VERDICT_COLUMNS) sum[verdict] += report.counts[verdict];
  return sum;
}

/** The document of `assay verify --json`; see the README in this folder for its fields. */
function prepareVerifyJson(snapshot: CatalogSnapshot, counts: VerdictCounts, summation: Summation) {
  return {
    schema: "assay.verify/3",
    summation,
    counts: prepareCounts(counts),
    jobs: snapshot.jobs.map((entry) => prepareJob(entry, snapshot)),
    copies: snapshot.copies.map((entry) => prepareJob(entry, snapshot)),
  };
}

function prepareJob({ job, trials, path, report }: JobEntry, { roots }: CatalogSnapshot) {
  return {
    key: job.key,
    name: job.name,
    id: job.uuid,
    root: roots[job.root]?.label ?? null,
    folder: job.folder,
    path,
    kind: job.kind,
    state: job.state,
    n_trials: trials.length,
    verdict: report.verdict.replaceAll("-", "_"),
    counts: prepareCounts(report.counts),
    order: report.order,
    outcome: report.outcome,
    groups: report.groups.map(prepareGroup),
    figures: report.figures.map(prepareFigure),
  };
}

function prepareGroup(group: RecomputedGroup) {
  return {
    key: group.key,
    agent: group.agent,
    model: group.model,
    source: group.source,
    n_trials: group.trialKeys.length,
    verdict: group.verdict.replaceAll("-", "_"),
    metrics: group.metrics.map(({ type, value, error }) => ({ type, values: prepareRewards(value), error })),
    pass_at_k: [...group.passAtK].map(([k, value]) => ({ k, ...prepareValue(value) })),
    pass_at_k_ineligible: group.passAtKIneligible,
  };
}

/** Names trials only for figures that are not exact, where they are needed. */
function prepareFigure({ trialKeys, ...figure }: Figure) {
  const verdict = figure.verdict.replaceAll("-", "_");
  const shown = { ...figure, verdict, rule: figure.rule?.replaceAll("-", "_") ?? null };
  return verdict === "exact" ? shown : { ...shown, trials: trialKeys };
}

function prepareCounts(counts: VerdictCounts) {
  return Object.fromEntries(
    Object.entries(counts).map(([verdict, count]) => [verdict.replaceAll("-", "_"), count]),
  );
}

const VERDICT_COLUMNS = [
  "exact",
  "ulp",
  "explained",
  "mismatch",
  "unknown-rule",
  "incomplete",
  "not-recorded",
] as const;

/** Leaves out the verdict of newer Harbor versions unless it occurs. */
function listColumns(counts: VerdictCounts) {
  return VERDICT_COLUMNS.filter((verdict) => verdict !== "unknown-rule" || counts[verdict] > 0);
}

/** Formats a table of jobs with their verdicts, a line of sums, and under each job the figures that are not exact. */
function* prepareVerifyText(
  snapshot: CatalogSnapshot,
  counts: VerdictCounts,
  isAll: boolean,
): Generator<string> {
  const jobs = snapshot.jobs.toSorted(
    (a, b) => a.job.root - b.job.root || compareNames(a.job.folder, b.job.folder),
  );
  const verdicts = listColumns(counts);
  yield formatRows<JobEntry>(jobs, [
    ["job", ({ job }) => job.key],
    [{ right: "trials" }, ({ trials }) => String(trials.length)],
    ...verdicts.map((verdict): Column<JobEntry> => [
      { right: verdict.replace("-", " ") },
      ({ report }) => String(report.counts[verdict]),
    ]),
    ["check", ({ report }) => report.verdict.replace("-", " ")],
  ]);
  yield `\n${describeSums(snapshot, counts)}\n`;
  for (const { job, report, path } of snapshot.copies)
    yield `${makePrintable(`${job.key}: copy, not counted, ${report.verdict.replace("-", " ")}: ${path}`)}\n`;
  for (const job of [...jobs, ...snapshot.copies]) yield* describeFigures(job, isAll);
}

function describeSums(snapshot: CatalogSnapshot, counts: VerdictCounts): string {
  const nTrials = snapshot.jobs.reduce((sum, { trials }) => sum + trials.length, 0);
  const nFigures = VERDICT_COLUMNS.reduce((sum, verdict) => sum + counts[verdict], 0);
  const verdicts = listColumns(counts)
    .map((verdict) => `${counts[verdict]} ${verdict.replace("-", " ")}`)
    .join(", ");
  const jobs = formatPlural(snapshot.jobs.length, "job");
  return `${jobs}, ${formatPlural(nTrials, "trial")}, ${formatPlural(nFigures, "figure")}: ${verdicts}`;
}

function* describeFigures({ job, report }: JobEntry, isAll: boolean): Generator<string> {
  const figures = report.figures.filter(
    ({ verdict }) => isAll || (verdict !== "exact" && verdict !== "not-recorded"),
  );
  if (figures.length === 0) return;
  yield `\n${makePrintable(job.key)}\n`;
  const byReason = Map.groupBy(figures, ({ verdict, reason, path }) => `${verdict} ${reason ?? path}`);
  for (const shared of byReason.values())
    if (shared.length > 1) yield describeShared(shared);
    else yield* shared.map(describeFigure);
}

function describeShared(figures: readonly Figure[]): string {
  const lines = figures.map(
    ({ path, recorded, recomputed }) =>
      `    ${path}: recorded ${recorded ?? MISSING}, recomputed ${recomputed ?? MISSING}`,
  );
  const verdict = figures[0]?.verdict.replace("-", " ") ?? "";
  const all = [
    `  ${verdict}: ${formatPlural(figures.length, "figure")}`,
    `    ${figures[0]?.reason ?? ""}`,
    ...lines,
  ];
  return all.map((line) => `${makePrintable(line)}\n`).join("");
}

function describeFigure({ path, recorded, recomputed, verdict, ulps, reason }: Figure): string {
  const word = verdict === "ulp" ? `differs by ${ulps ?? "?"} ulp` : verdict.replace("-", " ");
  const head = `  ${word}: ${makePrintable(path)}\n`;
  if (verdict === "exact") return `${head}    ${makePrintable(recorded ?? MISSING)}\n`;
  const values = `    recorded ${makePrintable(recorded ?? MISSING)}\n    recomputed ${makePrintable(recomputed ?? MISSING)}\n`;
  return head + values + (reason === null ? "" : `    ${makePrintable(reason)}\n`);
}
