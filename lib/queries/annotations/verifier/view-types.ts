import type { Route } from "next";

import type { LabelBar, PlanChart } from "@/lib/charts/plan-chart";

import type { RateName, StratumProgress } from "./review";
import type { VerdictWords } from "./words";

/** An agent as rows show it; null for all together. */
export type RowAgent = {
  readonly agent: string;
  readonly model: string | null;
  readonly identity: number;
} | null;

/** A value with its interval, drawn and written from the same numbers. */
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
  /** Null where the correction is refused; `change` then says why. */
  readonly drawn: (DrawnRate & { readonly observed: number; readonly summary: string }) | null;
}

/** Labels of one verdict in a row of the strata. */
export interface StratumCell extends StratumProgress {
  readonly bar: LabelBar;
}

/** A row of the strata; of all agents together it has no bars. */
export interface StrataRow {
  readonly id: string;
  readonly agent: RowAgent;
  readonly passed: StratumCell;
  readonly failed: StratumCell;
}

/** One rate of a row, or what it still needs. */
export interface RateCell {
  readonly name: RateName;
  readonly text: string;
  /** The interval in words, or the reason; of a reason `drawn` is null. */
  readonly title: string;
  readonly drawn: DrawnRate | null;
}

export interface RatesLine {
  readonly id: string;
  readonly name: string;
  readonly agent: RowAgent;
  readonly href: Route | null;
  /** Human pass and fail of what the verifier passed, then of what it did not. */
  readonly counts: readonly [number, number, number, number];
  readonly rates: readonly RateCell[];
}

export interface MatrixCell {
  readonly count: number;
  /** What the labels stand for; null where their rates are not known. */
  readonly trials: string | null;
  /** Share of all labels, which its shade shows. */
  readonly share: number;
}

/** The page of a verifier with labels that chance drew, in words and places. */
export interface VerifierView {
  readonly verdict: VerdictWords;
  readonly matrix: readonly [MatrixCell, MatrixCell, MatrixCell, MatrixCell];
  readonly scores: readonly ScoreRow[];
  readonly strata: readonly StrataRow[];
  readonly chart: PlanChart | null;
  readonly nOpen: number;
  /** Labels that one click would ask for. */
  readonly nNext: number;
  readonly openWords: string;
  /** Why no labels are planned, in a sentence; null where they are. */
  readonly planNote: string | null;
  readonly rates: readonly {
    readonly title: string;
    readonly note: string;
    readonly rows: readonly RatesLine[];
  }[];
}
