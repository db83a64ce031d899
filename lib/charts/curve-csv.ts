import { formatCsvLine } from "@/lib/format/csv";
import type { CurveValue, PassCurve, Unavailable } from "@/lib/stats";

/** One curve with what it belongs to, for a file. `versus` names the second group of a difference. */
export interface CsvCurve {
  readonly job: string;
  readonly group: string;
  readonly versus: string | null;
  readonly curve: PassCurve | Unavailable;
  readonly recorded: ReadonlyMap<number, number>;
}

/** What all rows share: the rules that the values were computed under. */
export interface CsvRules {
  readonly key: string;
  readonly threshold: number;
  readonly missing: string;
  readonly tasks: string;
}

const COLUMNS = [
  "job",
  "group",
  "minus",
  "measure",
  "k",
  "value",
  "low",
  "high",
  "band",
  "n_tasks",
  "recorded_by_harbor",
  "reward_key",
  "threshold",
  "missing",
  "tasks",
  "level",
  "comparisons",
  "resamples",
  "generator",
  "seed",
] as const;

/**
 * Every point of the curves as CSV (RFC 4180) with a heading, numbers with all their digits. What is not known is an empty
 * cell. A curve that cannot be computed has no rows.
 */
export function formatCurvesCsv(curves: readonly CsvCurve[], rules: CsvRules): string {
  const rows = curves.flatMap((entry) =>
    entry.curve.kind === "unavailable" ? [] : listRows(entry, entry.curve, rules),
  );
  return [COLUMNS, ...rows].map(formatCsvLine).join("");
}

type Cell = string | number | null;

function listRows(entry: CsvCurve, curve: PassCurve, rules: CsvRules): readonly (readonly Cell[])[] {
  const measures = [
    { name: "pass@k", key: "passAtK" },
    { name: "pass^k", key: "passHatK" },
  ] as const;
  return measures.flatMap(({ name, key }) =>
    curve.points.map((point) => [
      entry.job,
      entry.group,
      entry.versus,
      name,
      point.k,
      ...listValue(point[key]),
      point.nTasks,
      key === "passAtK" && entry.versus === null ? (entry.recorded.get(point.k) ?? null) : null,
      rules.key,
      rules.threshold,
      rules.missing,
      rules.tasks,
      curve.level,
      curve.nComparisons,
      curve.resamples,
      curve.generator,
      curve.seed,
    ]),
  );
}

function listValue({ value, band }: CurveValue): readonly Cell[] {
  return band.kind === "unavailable"
    ? [value, null, null, band.reason]
    : [value, band.low, band.high, band.method];
}
