import { formatCsvLine } from "@/lib/core/format/csv";
import type { CurvePoint, CurveValue, PassCurve, Unavailable } from "@/lib/core/stats";

interface CsvCurve {
  readonly job: string;
  readonly group: string;
  readonly versus: string | null;
  readonly curve: PassCurve | Unavailable;
  readonly recorded?: ReadonlyMap<number, number>;
}

interface CsvRules {
  readonly key: string;
  readonly threshold: number;
  readonly missing: string;
  readonly rule: string;
  readonly tasks: string;
}

interface Row {
  readonly entry: CsvCurve;
  readonly curve: PassCurve;
  readonly rules: CsvRules;
  readonly measure: "pass@k" | "pass^k";
  readonly point: CurvePoint;
}

const valueOf = ({ measure, point }: Row) => (measure === "pass@k" ? point.passAtK : point.passHatK);
const boundOf = (row: Row, end: "low" | "high") => {
  const { band } = valueOf(row);
  return band.kind === "unavailable" ? null : band[end];
};
const nameBand = ({ band }: CurveValue) => (band.kind === "unavailable" ? band.reason : band.method);

const COLUMNS: readonly (readonly [name: string, read: (row: Row) => string | number | null])[] = [
  ["job", ({ entry }) => entry.job],
  ["group", ({ entry }) => entry.group],
  ["minus", ({ entry }) => entry.versus],
  ["measure", ({ measure }) => measure],
  ["k", ({ point }) => point.k],
  ["value", (row) => valueOf(row).value],
  ["low", (row) => boundOf(row, "low")],
  ["high", (row) => boundOf(row, "high")],
  ["band", (row) => nameBand(valueOf(row))],
  ["n_tasks", ({ point }) => point.nTasks],
  [
    "recorded_by_harbor",
    ({ entry, measure, point }) =>
      measure === "pass@k" && entry.versus === null ? (entry.recorded?.get(point.k) ?? null) : null,
  ],
  ["reward_key", ({ rules }) => rules.key],
  ["threshold", ({ rules }) => rules.threshold],
  ["missing", ({ rules }) => rules.missing],
  ["tasks", ({ rules }) => rules.tasks],
  ["level", ({ curve }) => curve.level],
  ["comparisons", ({ curve }) => curve.nComparisons],
  ["resamples", ({ curve }) => curve.resamples],
  ["generator", ({ curve }) => curve.generator],
  ["seed", ({ curve }) => curve.seed],
  ["scoring_rule", ({ rules }) => rules.rule],
];

/** Returns every point as CSV (RFC 4180) with all digits; unknown values are empty. */
export function formatCurvesCsv(curves: readonly CsvCurve[], rules: CsvRules): string {
  const rows = curves.flatMap((entry) => {
    const { curve } = entry;
    if (curve.kind === "unavailable") return [];
    return (["pass@k", "pass^k"] as const).flatMap((measure) =>
      curve.points.map((point): Row => ({ entry, curve, rules, measure, point })),
    );
  });
  const heading = formatCsvLine(COLUMNS.map(([name]) => name));
  return heading + rows.map((row) => formatCsvLine(COLUMNS.map(([, read]) => read(row)))).join("");
}
