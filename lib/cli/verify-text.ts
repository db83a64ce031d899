import type { CatalogSnapshot, JobEntry } from "@/lib/core/domain/catalog";
import { compareNames } from "@/lib/core/domain/compare-text";
import type { Figure, VerdictCounts } from "@/lib/core/domain/verification";
import { formatPlural, MISSING } from "@/lib/core/format/number";

import { makePrintable } from "./terminal";
import { formatTextTable, type TextColumn } from "./text-table";

export const VERDICT_COLUMNS = [
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
export function* prepareVerifyText(
  snapshot: CatalogSnapshot,
  counts: VerdictCounts,
  isAll: boolean,
): Generator<string> {
  const jobs = snapshot.jobs.toSorted(
    (a, b) => a.job.root - b.job.root || compareNames(a.job.folder, b.job.folder),
  );
  const verdicts = listColumns(counts);
  const columns: readonly TextColumn[] = [
    { heading: "job" },
    { heading: "trials", align: "right" },
    ...verdicts.map((verdict) => ({ heading: verdict.replace("-", " "), align: "right" as const })),
    { heading: "check" },
  ];
  const rows = jobs.map(({ job, trials, report }) => [
    job.key,
    String(trials.length),
    ...verdicts.map((verdict) => String(report.counts[verdict])),
    report.verdict.replace("-", " "),
  ]);
  yield formatTextTable(columns, rows);
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
