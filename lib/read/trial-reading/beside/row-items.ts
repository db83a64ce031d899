import type { Relation } from "./compare-steps";

/** A row, or several folded rows of one relation. `to` is exclusive. */
export interface RowItem {
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

export function listRows(relations: readonly Relation[]): readonly RowItem[] {
  return relations.map((relation, from) => ({ relation, from, to: from + 1, isFolded: false }));
}

function listSingle(relation: Relation, from: number, to: number): readonly RowItem[] {
  return Array.from({ length: to - from }, (_, at) => ({
    relation,
    from: from + at,
    to: from + at + 1,
    isFolded: false,
  }));
}

export interface DifferencePlace {
  readonly total: number;
  /** Number of the row's difference, from 1; null if it has none. */
  readonly number: number | null;
  readonly previous: number | null;
  readonly next: number | null;
}

export function placeAmongDifferences(
  relations: readonly Relation[],
  divergence: number | null,
  row: number | null,
): DifferencePlace {
  const differences = foldRows(relations, divergence, null).filter(({ relation }) => relation !== "same");
  const at = row === null ? -1 : differences.findLastIndex(({ from }) => from <= row);
  const isAt = row !== null && row < (differences[at]?.to ?? 0);
  return {
    total: differences.length,
    number: isAt ? at + 1 : null,
    previous: differences[isAt ? at - 1 : at]?.from ?? null,
    next: differences[at + 1]?.from ?? null,
  };
}
