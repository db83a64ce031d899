import { sumBy } from "@/lib/core/domain/sum-by";
import type { Trajectory } from "@/lib/core/domain/trajectory";
import { WINDOW_LINES } from "@/lib/core/domain/trial-lists";

import { type Highlighter, makeHighlighted } from "../highlight";
import { NO_REPEATS, shorten } from "../step-blocks";
import { prepareRows, type StepView } from "../steps";
import { findLanes } from "../strip";
import {
  type ComparedRow,
  compareSteps,
  findDivergence,
  isSameCall,
  placePart,
  type Relation,
  type StepPart,
} from "./compare-steps";

export type DiffSteps = ReturnType<typeof prepareDiffSteps>;
export type StepPair = DiffSteps["lines"][number];
export type FoldedCell = ReturnType<typeof foldParts>;

export type DiffCell =
  | ({ readonly kind: "step"; readonly step: StepView } & Pick<StepPart, "nth" | "count">)
  | { readonly kind: "fold"; readonly fold: FoldedCell }
  | null;

export interface DiffWindow {
  readonly row: number | null;
  readonly from: number | null;
  readonly isUnfolded: boolean;
}

interface Side {
  readonly trajectory: Trajectory;
  readonly path: string;
}

const CONTEXT_LINES = 3;
const SIDE_BYTES = 550_000;
const MOST_VERBS = 4;

/** Swapping the two trajectories keeps row numbers, so that addresses stay valid. */
export function prepareDiffSteps(a: Side, b: Side, window: DiffWindow | null) {
  const rows = compareInFixedOrder(a, b);
  const relations = rows.map(({ relation }) => relation);
  const isComparable = a.trajectory.steps.length > 0 && b.trajectory.steps.length > 0;
  const divergence = isComparable ? findDivergence(rows) : null;
  const asked = window?.row ?? null;
  const current = asked !== null && asked < rows.length ? asked : null;
  const isFolding = window?.isUnfolded !== true && isComparable;
  const items = isFolding
    ? foldRows(relations, divergence, current)
    : relations.flatMap((relation, at) => listSingle(relation, at, at + 1));
  const first = chooseFirst(items, window?.from ?? null, current);
  const shown = window === null ? [] : items.slice(first, first + WINDOW_LINES);
  return {
    lines: prepareLines({ a, b, rows, divergence, current }, shown),
    part: { from: first, shown: shown.length, total: items.length },
    map: drawMap(rows, a.trajectory.steps.length, b.trajectory.steps.length),
    counts: countRelations(relations),
    calls: {
      a: countCalls(a.trajectory),
      b: countCalls(b.trajectory),
      same: rows.filter(isSameCall).length,
    },
    divergence: divergence === null ? null : describeDivergence(rows[divergence], divergence),
    differences: placeAmongDifferences(relations, divergence, current),
    isRowUnknown: asked !== current,
  };
}

interface Compared {
  readonly a: Side;
  readonly b: Side;
  readonly rows: readonly ComparedRow[];
  readonly divergence: number | null;
  readonly current: number | null;
}

function prepareLines({ a, b, rows, divergence, current }: Compared, items: readonly RowItem[]) {
  const cells = makeHighlighted((highlighter) => ({
    a: prepareCells(a, highlighter, rows, items, "a"),
    b: prepareCells(b, highlighter, rows, items, "b"),
  }));
  return items.map((item, at) => {
    const row = item.isFolded ? undefined : rows[item.from];
    return {
      ...item,
      doWordsDiffer: row?.doWordsDiffer === true,
      hasMedia: row?.hasMedia === true,
      a: cells.a[at] ?? null,
      b: cells.b[at] ?? null,
      isDivergence: item.from === divergence,
      isCurrent: item.from === current,
    };
  });
}

function chooseFirst(items: readonly RowItem[], asked: number | null, current: number | null): number {
  const last = Math.max(0, items.length - 1);
  if (asked !== null) return Math.min(asked, last);
  const at = current === null ? -1 : items.findIndex(({ to }) => to > current);
  return at < CONTEXT_LINES + 3 ? 0 : at - CONTEXT_LINES;
}

/** Several alignments may have equally many pairs; the order of the arguments decides which one is found. */
function compareInFixedOrder(a: Side, b: Side): readonly ComparedRow[] {
  if (a.path <= b.path) return compareSteps(a.trajectory.steps, b.trajectory.steps);
  const mirrored: Readonly<Partial<Record<Relation, Relation>>> = { "only-a": "only-b", "only-b": "only-a" };
  return compareSteps(b.trajectory.steps, a.trajectory.steps).map((row) => ({
    ...row,
    a: row.b,
    b: row.a,
    relation: mirrored[row.relation] ?? row.relation,
  }));
}

function describeDivergence(row: ComparedRow | undefined, at: number) {
  const [a, b] = [row?.a ?? null, row?.b ?? null];
  const places = { a: a && placePart(a).from, b: b && placePart(b).from };
  return shorten({ row: at, a: a?.step.key ?? null, b: b?.step.key ?? null, places });
}

function countRelations(relations: readonly Relation[]): Record<Relation, number> {
  const counts = { same: 0, result: 0, call: 0, text: 0, "only-a": 0, "only-b": 0 };
  for (const relation of relations) counts[relation]++;
  return counts;
}

function countCalls({ steps }: Trajectory): number {
  return steps.reduce((sum, { calls }) => sum + calls.length, 0);
}

function prepareCells(
  { trajectory, path }: Side,
  highlighter: Highlighter,
  rows: readonly ComparedRow[],
  items: readonly RowItem[],
  side: "a" | "b",
): readonly DiffCell[] {
  const shown = items.flatMap(({ isFolded, from }) => (isFolded ? [] : (rows[from]?.[side] ?? [])));
  const steps = shown.map(({ step }) => step);
  const lanes = { ...findLanes(trajectory), open: null };
  const views = prepareRows(steps, { lanes, path, bytes: SIDE_BYTES, repeats: NO_REPEATS, highlighter });
  const viewOf = new Map(shown.map((part, at) => [part, views[at]]));
  return items.map(({ isFolded, from, to }): DiffCell => {
    const parts = rows.slice(from, to).flatMap((row) => row[side] ?? []);
    const [first] = parts;
    if (first === undefined) return null;
    if (isFolded) return { kind: "fold", fold: foldParts(first, parts) };
    const step = viewOf.get(first);
    return step === undefined ? null : { kind: "step", step, nth: first.nth, count: first.count };
  });
}

function foldParts(first: StepPart, parts: readonly StepPart[]) {
  const counts = sumBy(parts, ({ step }) => step.calls[0]?.name ?? step.source);
  const verbs = [...counts].map(([verb, count]) => ({ verb, count }));
  return shorten({
    count: new Set(parts.map(({ step }) => step.index)).size,
    firstKey: first.step.key,
    lastKey: parts.at(-1)?.step.key ?? first.step.key,
    verbs: verbs.toSorted((one, other) => other.count - one.count).slice(0, MOST_VERBS),
    nMarked: parts.filter(({ step }) => step.marks.length > 0).length,
  });
}

/** Consecutive rows with one relation. Positions are step indexes; a call of a step with several has a fraction. */
interface MapRibbon {
  readonly relation: Relation;
  readonly a: { readonly from: number; readonly to: number };
  readonly b: { readonly from: number; readonly to: number };
}

const MOST_RIBBONS = 500;
const PIXELS = 1_000;

function drawMap(rows: readonly ComparedRow[], nA: number, nB: number) {
  const ribbons = listRibbons(rows);
  const [errorsA, errorsB] = [rows.flatMap(({ a }) => listError(a)), rows.flatMap(({ b }) => listError(b))];
  const longest = ribbons
    .toSorted((one, other) => other.a.to - other.a.from - (one.a.to - one.a.from))
    .slice(0, MOST_RIBBONS);
  return {
    ribbons: longest.toSorted((one, other) => one.a.from - other.a.from),
    nRibbons: ribbons.length,
    // Positions of steps with an error, 0 to 1, ascending; one per pixel.
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

/** A row, or several folded rows of one relation. `to` is exclusive. */
interface RowItem {
  readonly relation: Relation;
  readonly from: number;
  readonly to: number;
  readonly isFolded: boolean;
}

const LEAST_FOLDED = 3;
const MOST_UNFOLDED = 40;

/** Folds equal rows, except the last one before a difference, and one-sided rows. Never folds the first divergence. */
export function foldRows(
  relations: readonly Relation[],
  divergence: number | null,
  opened: number | null,
): readonly RowItem[] {
  const items: RowItem[] = [];
  for (let from = 0; from < relations.length;) {
    const relation = relations[from] ?? "same";
    let to = from + 1;
    while (to < relations.length && relations[to] === relation && ![from, to].includes(divergence ?? -1))
      to++;
    items.push(...foldRun({ relation, from, to }, to === relations.length, opened));
    from = to;
  }
  return items;
}

type Run = Pick<RowItem, "relation" | "from" | "to">;

function foldRun(run: Run, isLast: boolean, opened: number | null): readonly RowItem[] {
  const { relation, from, to } = run;
  const isFolding = relation === "same" || relation.startsWith("only");
  // The last equal row shows where the difference is.
  const end = relation === "same" && !isLast ? to - 1 : to;
  if (!isFolding || end - from < LEAST_FOLDED) return listSingle(relation, from, to);
  const shown = opened !== null && opened >= from && opened < end ? opened : end;
  const shownTo = Math.min(end, shown + MOST_UNFOLDED);
  return [
    ...fold({ relation, from, to: shown }),
    ...listSingle(relation, shown, shownTo),
    ...fold({ relation, from: shownTo, to: end }),
    ...listSingle(relation, end, to),
  ];
}

function fold(run: Run): readonly RowItem[] {
  return run.from < run.to ? [{ ...run, isFolded: run.to - run.from > 1 }] : [];
}

function listSingle(relation: Relation, from: number, to: number): readonly RowItem[] {
  return Array.from({ length: to - from }, (_, at) => ({
    relation,
    from: from + at,
    to: from + at + 1,
    isFolded: false,
  }));
}

export function placeAmongDifferences(
  relations: readonly Relation[],
  divergence: number | null,
  row: number | null,
) {
  const differences = foldRows(relations, divergence, null).filter(({ relation }) => relation !== "same");
  const at = row === null ? -1 : differences.findLastIndex(({ from }) => from <= row);
  const isAt = row !== null && row < (differences[at]?.to ?? 0);
  return {
    total: differences.length,
    /** Number of the row's difference, from 1; null if it has none. */
    number: isAt ? at + 1 : null,
    previous: differences[isAt ? at - 1 : at]?.from ?? null,
    next: differences[at + 1]?.from ?? null,
  };
}
