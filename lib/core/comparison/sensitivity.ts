import { formatCount, formatRange, formatReward, MISSING } from "@/lib/core/format/number";
import { LEFT_OUT_READINGS, MISSING_ENDS, nameScore } from "@/lib/core/format/reading-words";
import {
  computePairedComparison,
  computeSensitivity,
  type MeanInterval,
  type MissingRule,
  type PairedComparison,
  type ReadingName,
  type Sensitivity,
  type Unavailable,
} from "@/lib/core/stats";

import { type ComparedTrial, listTaskValues, readRewardAt } from "./trials";
import { describePair, type PairWords } from "./words";

/** Computes a score under every reading of finished trials, from their rewards at a key. */
export function computeTrialSensitivity(
  finished: readonly ComparedTrial[],
  key: string,
  { missing }: { readonly missing: MissingRule },
): Sensitivity | Unavailable {
  const trials = finished.map((trial) => ({
    task: trial.taskName,
    value: readRewardAt(trial, key),
    exclusion: trial.exclusion,
  }));
  return computeSensitivity(trials, { missing });
}

type LeftOutReading = (typeof LEFT_OUT_READINGS)[number]["name"];

interface ReadingCell {
  readonly value: string;
  readonly nMoved: number | null;
}

export type SensitivityLine = NonNullable<ReturnType<typeof describeSensitivity>>;

export function describeSensitivity(sensitivity: Sensitivity | Unavailable) {
  if (sensitivity.kind === "unavailable") return null;
  const { readings, nUnknown } = sensitivity;
  const all = Object.values(readings);
  if (all.every(({ nMoved }) => nMoved === 0)) return null;
  const describe = (name: ReadingName): ReadingCell => ({
    value: formatMean(readings[name].result),
    nMoved: readings[name].nMoved,
  });
  const { lowest, highest } = readings;
  const recorded = readings.recorded.result;
  const bounds = recorded.kind === "computed" && recorded.bounds.kind === "computed" ? recorded.bounds : null;
  const means = all.flatMap(({ result }) => (result.kind === "computed" ? [result.mean] : []));
  const hasEnds = lowest.result.kind === "computed";
  return {
    recorded: { value: formatMean(recorded), range: bounds === null ? MISSING : formatRange(bounds) },
    cells: {
      "without-infrastructure": describe("without-infrastructure"),
      "without-timeouts": describe("without-timeouts"),
      "without-both": describe("without-both"),
      "without-missing": describe("without-missing"),
    },
    /** From all missing rewards 0 to all of them 1; a dash unless rewards are from 0 to 1. */
    bounds: {
      value: hasEnds ? `${formatMean(lowest.result)} to ${formatMean(highest.result)}` : MISSING,
      nMoved: Math.max(lowest.nMoved, highest.nMoved),
    },
    nUnknown,
    /** The recorded score with its interval, and the lowest and highest of all readings; null without a score. */
    drawn:
      recorded.kind === "computed"
        ? {
            value: recorded.mean,
            low: bounds?.low ?? null,
            high: bounds?.high ?? null,
            least: Math.min(...means),
            most: Math.max(...means),
          }
        : null,
  };
}

function formatMean(result: MeanInterval | Unavailable): string {
  return result.kind === "computed" ? formatReward(result.mean) : MISSING;
}

/** The difference of two groups, first minus second, under a reading that excludes a trial of either. */
export interface PairReading {
  readonly name: LeftOutReading;
  readonly label: string;
  readonly nMoved: number | null;
  readonly comparison: PairedComparison | Unavailable;
  readonly words: Pick<PairWords, "difference" | "interval" | "pValue" | "verdict">;
}

/** Computes the difference of two groups under every reading that moves a trial, or may. */
export function readPair(
  [first, second]: readonly [PairSide, PairSide],
  key: string,
  { missing }: { readonly missing: MissingRule },
): readonly PairReading[] {
  const sides = [first, second].map(({ trials }) => trials.filter(({ counts }) => counts));
  const names = { first: first.label, second: second.label };
  const isPending = sides.flat().some(({ exclusion }) => exclusion === "unknown");
  return LEFT_OUT_READINGS.flatMap(({ name, label }): PairReading[] => {
    if (isPending && name !== "without-missing") {
      const words = describePair(names, PENDING, NO_CURVE);
      return [{ name, label, nMoved: null, comparison: PENDING, words }];
    }
    const kept = sides.map((trials) => trials.filter((trial) => isKept(trial, key, name)));
    const nMoved = sides.reduce((sum, trials, at) => sum + trials.length - (kept[at]?.length ?? 0), 0);
    // Excluding trials that the recorded score already excludes moves nothing.
    if (nMoved === 0 || (name === "without-missing" && missing === "exclude")) return [];
    const [own = [], other = []] = kept.map((trials) => listTaskValues(trials, key));
    const comparison = computePairedComparison(own, other, { missing });
    const words = describePair(names, comparison, NO_CURVE);
    return [{ name, label, nMoved, comparison, words }];
  });
}

interface PairSide {
  readonly label: string;
  readonly trials: readonly ComparedTrial[];
}

const NO_CURVE: Unavailable = { kind: "unavailable", reason: "no-common-tasks" };
const PENDING: Unavailable = { kind: "unavailable", reason: "ends-unknown" };

function isKept(trial: ComparedTrial, key: string, name: LeftOutReading): boolean {
  const { exclusion } = trial;
  if (name === "without-missing") return !Number.isNaN(readRewardAt(trial, key) ?? NaN);
  if (name === "without-both") return exclusion === null;
  return exclusion !== (name === "without-timeouts" ? "timeout" : "infrastructure");
}

export function prepareSensitivityTable(
  groups: readonly { readonly label: string; readonly line: SensitivityLine }[],
  missing: MissingRule,
) {
  const shown = LEFT_OUT_READINGS.filter(({ name }) =>
    groups.some(({ line }) => line.cells[name].nMoved !== 0),
  );
  const hasBounds = groups.some(({ line }) => line.bounds.nMoved > 0);
  return {
    headings: [
      "Group",
      nameScore(missing),
      ...shown.map(({ label }) => label),
      ...(hasBounds ? [MISSING_ENDS.label] : []),
    ],
    rows: groups.map(({ label, line }) => [
      label,
      line.recorded.value,
      ...shown.map(({ name }) => writeCell(line.cells[name])),
      ...(hasBounds ? [writeCell(line.bounds)] : []),
    ]),
  };
}

function writeCell({ value, nMoved }: ReadingCell): string {
  return nMoved === 0 || nMoved === null ? value : `${value} (${formatCount(nMoved)})`;
}

export function prepareSensitivityJson(sensitivity: Sensitivity | Unavailable) {
  if (sensitivity.kind === "unavailable") return sensitivity;
  const { nTrials, nMissing, nUnknown, readings } = sensitivity;
  return {
    kind: "computed" as const,
    n_trials: nTrials,
    n_missing: nMissing,
    n_unclassified: nUnknown,
    readings: Object.fromEntries(
      Object.entries(readings).map(([name, { result, nMoved }]) => [name, { mean: result, n_moved: nMoved }]),
    ),
  };
}
