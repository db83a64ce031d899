import type { ReactNode } from "react";

import { Mark } from "@/components/ui/mark";
import type { ColumnMeta, DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { trimEndOf } from "@/lib/core/domain/trim-end";
import { formatCost, formatCount, formatDifference, MISSING } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import type { DiffTrial, DimensionRow, ResultName, ResultRow } from "@/lib/pages/diff/page";
import type { DimensionScore, TestResult } from "@/lib/read/trial-reading";

import { TestWord } from "../trial/verifier/tests-panel";

export const RESULT_LABELS: Readonly<Record<ResultName, string>> = {
  reward: "Reward",
  steps: "Steps",
  duration: "Duration",
  tokens: "Tokens",
  cost: "Cost, $",
  errors: "Steps with an error",
};

const FORMATS: Readonly<Record<Exclude<ResultName, "reward">, (value: number | null) => string>> = {
  steps: formatCount,
  duration: formatDuration,
  tokens: formatCount,
  cost: formatCost,
  errors: formatCount,
};

export function ResultValue({ name, value, of }: { name: ResultName; value: number | null; of: DiffTrial }) {
  if (name !== "reward") return value === null ? <Unknown /> : FORMATS[name](value);
  return (
    <span className="status-word">
      <Mark status={of.trial.outcome} />
      {of.headline === null ? (
        <Unknown title="No reward, or several and none named reward" />
      ) : (
        of.headline.text
      )}
    </span>
  );
}

export function formatResultDifference({ name, difference }: ResultRow): string {
  if (difference === null) return MISSING;
  if (difference === 0) return "0";
  if (name === "reward") return trimZeros(formatDifference(difference, false));
  const text = FORMATS[name](Math.abs(difference));
  return `${difference > 0 ? "+" : "\u2212"}${text}`;
}

function trimZeros(text: string): string {
  return trimEndOf(trimEndOf(text, "0"), ".");
}

export function TestStatus({ result }: { result: TestResult | null }): ReactNode {
  if (result === null) return <Unknown title="Not in this trial’s report">not there</Unknown>;
  return <TestWord status={result.status} />;
}

export function ScoreText({ score }: { score: DimensionScore | null }): ReactNode {
  if (score === null) return <Unknown title="Not in this trial’s files">not there</Unknown>;
  if (score.scoreText === null) return <Unknown title="No score recorded" />;
  return (
    <span className="nowrap" title={score.scoreText}>
      {score.score === null || Number.isInteger(score.score) ? score.scoreText : shorten(score)}
      {score.maxScore === null || score.maxScore === 1 ? null : (
        <span className="muted"> / {score.maxScore}</span>
      )}
    </span>
  );
}

function shorten({ score, scoreText }: DimensionScore): string | null {
  return score !== null && Math.abs(score) < 1_000 ? score.toFixed(3) : scoreText;
}

export function formatScoreDifference({ relation, difference, a, b }: DimensionRow): string {
  if (relation === "same") return a?.scoreText === null ? MISSING : "0";
  if (relation !== "differs") return MISSING;
  if (a?.maxScore !== b?.maxScore) return "other maximum";
  return difference === 0 ? "other text" : trimZeros(formatDifference(difference, false));
}

/** The columns of A and B. */
export function makeSideColumns<Row extends { readonly a: unknown; readonly b: unknown }>(
  draw: (value: Row["a"] | Row["b"], row: Row, letter: "a" | "b") => ReactNode,
  meta: ColumnMeta,
): readonly DataColumn<Row>[] {
  return (["a", "b"] as const).map((letter) => ({
    id: letter,
    header: letter.toUpperCase(),
    cell: (row) => draw(row[letter], row, letter),
    meta: { ...meta, phone: "labelled" },
  }));
}

export function makeDifferenceColumn<Row>(cell: (row: Row) => string): DataColumn<Row> {
  const header = "A − B";
  return { id: "difference", header, cell, meta: { numeric: true, label: header, phone: "labelled" } };
}
