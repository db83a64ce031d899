import type { Route } from "next";

import type { LabelBar } from "@/lib/core/charts/plan-chart";
import type { PlaneChart } from "@/lib/core/charts/plane-chart";

import type { RateName, StratumProgress } from "./review";
import type { VerdictWords } from "./words";

/** Null for all agents together. */
export type RowAgent = {
  readonly agent: string;
  readonly model: string | null;
  readonly identity: number;
} | null;

export interface DrawnRate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface ScoreRow {
  readonly id: string;
  readonly agent: RowAgent;
  readonly recorded: string;
  readonly corrected: string;
  /** `±` and half the interval, or both ends where its sides differ. */
  readonly margin: string;
  readonly points: string;
  readonly change: string;
  readonly nLabels: number;
  /** Null when the correction is unavailable; `change` says why. */
  readonly drawn: (DrawnRate & { readonly observed: number; readonly summary: string }) | null;
}

export interface StratumCell extends StratumProgress {
  readonly bar: LabelBar;
}

export interface StrataRow {
  readonly id: string;
  readonly agent: RowAgent;
  readonly passed: StratumCell;
  readonly failed: StratumCell;
}

export interface RateCell {
  readonly name: RateName;
  readonly text: string;
  readonly title: string;
  readonly drawn: DrawnRate | null;
}

export interface RatesLine {
  readonly id: string;
  readonly name: string;
  readonly agent: RowAgent;
  readonly href: Route | null;
  /** Human pass and fail of trials that the verifier passed, then of those it did not. */
  readonly counts: readonly [number, number, number, number];
  readonly rates: readonly RateCell[];
}

export interface MatrixCell {
  readonly count: number;
  readonly trials: string | null;
  /** Share of all labels, from 0 to 1, drawn as the cell's shade. */
  readonly share: number;
}

export interface VerifierView {
  readonly verdict: VerdictWords;
  readonly matrix: readonly [MatrixCell, MatrixCell, MatrixCell, MatrixCell];
  readonly scores: readonly ScoreRow[];
  readonly strata: readonly StrataRow[];
  readonly chart: PlaneChart | null;
  readonly nOpen: number;
  readonly nNext: number;
  readonly openWords: string;
  readonly planNote: string | null;
  readonly rates: readonly {
    readonly title: string;
    readonly note: string;
    readonly rows: readonly RatesLine[];
  }[];
}
