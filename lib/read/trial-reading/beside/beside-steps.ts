import type { ListPart } from "@/lib/core/domain/list-page";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { Trajectory } from "@/lib/core/domain/trajectory";
import { WINDOW_LINES } from "@/lib/core/domain/trial-lists";

import { findLanes } from "../lanes";
import { shorten } from "../step-blocks";
import { prepareRows, type StepView } from "../steps";
import { type AlignmentMap, drawMap } from "./alignment-map";
import { type ComparedRow, compareSteps, findDivergence, isSameCall, type Relation } from "./compare-steps";
import { type DifferencePlace, foldRows, listRows, placeAmongDifferences, type RowItem } from "./row-items";
import { placePart, type StepPart } from "./step-parts";

export interface FoldedCell {
  readonly count: number;
  readonly firstKey: string;
  readonly lastKey: string;
  readonly verbs: readonly { readonly verb: string; readonly count: number }[];
  readonly nMarked: number;
}

export type BesideCell =
  | ({ readonly kind: "step"; readonly step: StepView } & Pick<StepPart, "nth" | "count">)
  | { readonly kind: "fold"; readonly fold: FoldedCell }
  | null;

export interface BesideLine extends Pick<ComparedRow, "doWordsDiffer" | "hasMedia">, RowItem {
  readonly a: BesideCell;
  readonly b: BesideCell;
  readonly isDivergence: boolean;
  readonly isCurrent: boolean;
}

export interface BesideSteps {
  readonly lines: readonly BesideLine[];
  readonly part: ListPart;
  readonly map: AlignmentMap;
  readonly counts: Readonly<Record<Relation, number>>;
  readonly calls: { readonly a: number; readonly b: number; readonly same: number };
  readonly divergence: {
    readonly row: number;
    readonly a: string | null;
    readonly b: string | null;
    readonly places: { readonly a: number | null; readonly b: number | null };
  } | null;
  readonly differences: DifferencePlace;
  readonly isRowUnknown: boolean;
}

export interface BesideWindow {
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
export function prepareBesideSteps(a: Side, b: Side, window: BesideWindow | null): BesideSteps {
  const rows = compareInFixedOrder(a, b);
  const relations = rows.map(({ relation }) => relation);
  const isComparable = a.trajectory.steps.length > 0 && b.trajectory.steps.length > 0;
  const divergence = isComparable ? findDivergence(rows) : null;
  const asked = window?.row ?? null;
  const current = asked !== null && asked < rows.length ? asked : null;
  const isFolding = window?.isUnfolded !== true && isComparable;
  const items = isFolding ? foldRows(relations, divergence, current) : listRows(relations);
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

function prepareLines(
  { a, b, rows, divergence, current }: Compared,
  items: readonly RowItem[],
): readonly BesideLine[] {
  const cellsA = new Cells(a, rows, items, "a");
  const cellsB = new Cells(b, rows, items, "b");
  return items.map((item) => {
    const row = item.isFolded ? undefined : rows[item.from];
    return {
      ...item,
      doWordsDiffer: row?.doWordsDiffer === true,
      hasMedia: row?.hasMedia === true,
      a: cellsA.of(item),
      b: cellsB.of(item),
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

function describeDivergence(row: ComparedRow | undefined, at: number): BesideSteps["divergence"] {
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

class Cells {
  private readonly rows: readonly ComparedRow[];
  private readonly side: "a" | "b";
  private readonly views: ReadonlyMap<StepPart, StepView>;

  constructor(
    { trajectory, path }: Side,
    rows: readonly ComparedRow[],
    items: readonly RowItem[],
    side: "a" | "b",
  ) {
    this.rows = rows;
    this.side = side;
    const parts = items.flatMap(({ isFolded, from }) => (isFolded ? [] : (rows[from]?.[side] ?? [])));
    const steps = parts.map(({ step }) => step);
    const views = prepareRows(steps, { ...findLanes(trajectory), open: null }, path, {
      windowBytes: SIDE_BYTES,
    });
    this.views = new Map(views.flatMap((view, at) => (parts[at] === undefined ? [] : [[parts[at], view]])));
  }

  of({ isFolded, from, to }: RowItem): BesideCell {
    const parts = this.rows.slice(from, to).flatMap((row) => row[this.side] ?? []);
    const [first] = parts;
    if (first === undefined) return null;
    if (isFolded) return { kind: "fold", fold: foldParts(first, parts) };
    const step = this.views.get(first);
    return step === undefined ? null : { kind: "step", step, nth: first.nth, count: first.count };
  }
}

function foldParts(first: StepPart, parts: readonly StepPart[]): FoldedCell {
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
