import type { ComparedRow, Relation } from "./compare-steps";
import { placePart, type StepPart } from "./step-parts";

/** Consecutive rows with one relation. Positions are step indexes; a call of a step with several has a fraction. */
export interface MapRibbon {
  readonly relation: Relation;
  readonly a: { readonly from: number; readonly to: number };
  readonly b: { readonly from: number; readonly to: number };
}

export interface AlignmentMap {
  readonly ribbons: readonly MapRibbon[];
  readonly nRibbons: number;
  /** Positions of steps with an error, 0 to 1, ascending; one per pixel. */
  readonly errors: { readonly a: readonly number[]; readonly b: readonly number[] };
  readonly nErrors: { readonly a: number; readonly b: number };
}

const MOST_RIBBONS = 500;
const PIXELS = 1_000;

export function drawMap(rows: readonly ComparedRow[], nA: number, nB: number): AlignmentMap {
  const ribbons = listRibbons(rows);
  const [errorsA, errorsB] = [rows.flatMap(({ a }) => listError(a)), rows.flatMap(({ b }) => listError(b))];
  const longest = ribbons
    .toSorted((one, other) => other.a.to - other.a.from - (one.a.to - one.a.from))
    .slice(0, MOST_RIBBONS);
  return {
    ribbons: longest.toSorted((one, other) => one.a.from - other.a.from),
    nRibbons: ribbons.length,
    errors: { a: placeErrors(errorsA, nA), b: placeErrors(errorsB, nB) },
    nErrors: { a: errorsA.length, b: errorsB.length },
  };
}

function listRibbons(rows: readonly ComparedRow[]): readonly MapRibbon[] {
  const ribbons: MapRibbon[] = [];
  let wasJoined = false;
  for (const { a, b, relation } of rows) {
    const last = ribbons.at(-1);
    if (a === null || b === null) {
      wasJoined = false;
      continue;
    }
    const end = { a: placePart(a), b: placePart(b) };
    if (wasJoined && last?.relation === relation)
      ribbons[ribbons.length - 1] = {
        relation,
        a: { ...end.a, from: last.a.from },
        b: { ...end.b, from: last.b.from },
      };
    else ribbons.push({ relation, ...end });
    wasJoined = true;
  }
  return ribbons;
}

function listError(part: StepPart | null): readonly number[] {
  return part === null || part.step.marks.length === 0 ? [] : [part.step.index];
}

function placeErrors(indexes: readonly number[], total: number): readonly number[] {
  const pixels = indexes.map((index) => Math.round(((index + 0.5) / total) * PIXELS));
  return [...new Set(pixels)].map((pixel) => pixel / PIXELS);
}
