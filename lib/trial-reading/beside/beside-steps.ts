import type { Trajectory } from "@/lib/domain/trajectory";
import type { ListPart } from "@/lib/domain/list-page";
import { sumBy } from "@/lib/domain/sum-by";
import { WINDOW_LINES } from "@/lib/domain/trial-lists";

import { findLanes } from "../lanes";
import { prepareRows, type StepView } from "../steps";
import { shorten } from "../step-blocks";
import { type AlignmentMap, drawMap } from "./alignment-map";
import { type ComparedRow, compareSteps, findDivergence, isSameCall, type Relation } from "./compare-steps";
import { type DifferencePlace, foldRows, listRows, placeAmongDifferences, type RowItem } from "./row-items";
import { placePart, type StepPart } from "./step-parts";

/** Several calls and messages of one side in one line. */
export interface FoldedCell {
  /** Steps that they are of. */
  readonly count: number;
  readonly firstKey: string;
  readonly lastKey: string;
  /** The most frequent tools or sources with how many steps each has. */
  readonly verbs: readonly { readonly verb: string; readonly count: number }[];
  readonly nMarked: number;
}

/** What stands on one side of a line; null where that side has nothing. */
export type BesideCell =
  | ({ readonly kind: "step"; readonly step: StepView } & Pick<StepPart, "nth" | "count">)
  | { readonly kind: "fold"; readonly fold: FoldedCell }
  | null;

/** A line: a row of the alignment, or several that are folded. */
export interface BesideLine extends Pick<ComparedRow, "doWordsDiffer" | "hasMedia">, RowItem {
  readonly a: BesideCell;
  readonly b: BesideCell;
  readonly isDivergence: boolean;
  readonly isCurrent: boolean;
}

/** Two trajectories beside each other: the lines of a window, and what leads to all others. Rows count from 0. */
export interface BesideSteps {
  readonly lines: readonly BesideLine[];
  /** Which of all lines are here. */
  readonly part: ListPart;
  readonly map: AlignmentMap;
  readonly counts: Readonly<Record<Relation, number>>;
  /** Calls of each side, and how many of them both make. */
  readonly calls: { readonly a: number; readonly b: number; readonly same: number };
  /** Row of the first divergence, and the keys of its steps; null when there is none. */
  readonly divergence: {
    readonly row: number;
    readonly a: string | null;
    readonly b: string | null;
    /** Places of its steps among all, from 0. */
    readonly places: { readonly a: number | null; readonly b: number | null };
  } | null;
  readonly differences: DifferencePlace;
  /** The address asks for a row that is not there. */
  readonly isRowUnknown: boolean;
}

/** Which lines to show. */
export interface BesideWindow {
  /** Row to open, from 0; null for none. */
  readonly row: number | null;
  /** First line; null chooses it by the row. */
  readonly from: number | null;
  readonly isUnfolded: boolean;
}

/** A trajectory with the path of its trial, which the address of every link names. */
interface Side {
  readonly trajectory: Trajectory;
  readonly path: string;
}

/** Lines above the one that is opened. */
const CONTEXT_LINES = 3;
/** Of a page, for the steps of one side. */
const SIDE_BYTES = 550_000;
const MOST_VERBS = 4;

/**
 * Aligns two trajectories and prepares a window of their lines. A row is the same one when the two change places, so that its
 * address stays.
 *
 * @param window - null leaves the lines out
 */
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

/** Of several alignments with as many pairs one is found, which depends on the order of the two. */
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

/** What stands on one side of the lines of a window. */
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
