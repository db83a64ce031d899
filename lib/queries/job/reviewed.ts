import "server-only";

import { type Cursor, FIRST_PAGE, type PagePlace } from "@/lib/domain/page-place";
import { type IndexStore, type KeysetPage, readTasks, type TaskRow, type TaskSelection } from "@/lib/store";

/** Which tasks, how often each was judged, and where in the list. */
export interface ReviewedRequest {
  readonly selection: TaskSelection;
  /** Judged attempts by task; a task without any is absent. */
  readonly counts: ReadonlyMap<string, number>;
  readonly descending: boolean;
  readonly place: PagePlace;
  readonly limit: number;
}

/** A list that is paged through by name or by place; the two of them together are the whole. */
interface Part {
  readonly size: number;
  readonly read: (place: PagePlace, limit: number) => Promise<Piece>;
}

interface Piece {
  readonly rows: readonly TaskRow[];
  readonly nBefore: number;
}

/**
 * One page of a job's tasks by the number of their judged attempts, equals by name. Annotations are in a store of their
 * own, so the few judged tasks are sorted here and the others, which all have none, are paged through in the index.
 */
export async function readReviewedTasks(
  store: IndexStore,
  jobId: number,
  request: ReviewedRequest,
): Promise<KeysetPage<TaskRow>> {
  const { counts, descending, place } = request;
  const [judged, rest] = await Promise.all([
    readJudged(store, jobId, request),
    openRest(store, jobId, request),
  ]);
  const parts = descending ? ([judged, rest] as const) : ([rest, judged] as const);
  const nMatching = judged.size + rest.size;
  const fits = !("cursor" in place) || (place.cursor.length === 2 && typeof place.cursor[1] === "number");
  const piece = await readAcross(parts, descending, { ...request, place: fits ? place : FIRST_PAGE });
  const cursorOf = ({ taskName, position }: TaskRow): Cursor => [counts.get(taskName) ?? 0, position];
  const [first, last] = [piece.rows[0], piece.rows.at(-1)];
  if (first === undefined || last === undefined) {
    // What the page was to begin or end at is gone, as when the list became shorter.
    if (nMatching === 0) return { ...piece, nMatching, before: null, after: null };
    const nearest: PagePlace = place.kind === "after" ? { kind: "last" } : FIRST_PAGE;
    return readReviewedTasks(store, jobId, { ...request, place: nearest });
  }
  return {
    ...piece,
    nMatching,
    before: piece.nBefore === 0 ? null : cursorOf(first),
    after: piece.nBefore + piece.rows.length >= nMatching ? null : cursorOf(last),
  };
}

async function readAcross(
  [head, tail]: readonly [Part, Part],
  isJudgedFirst: boolean,
  { place, limit }: ReviewedRequest,
): Promise<Piece> {
  const isBackward = place.kind === "before" || place.kind === "last";
  const isJudged = "cursor" in place && Number(place.cursor[0]) > 0;
  const isInTail = "cursor" in place && isJudged !== isJudgedFirst;
  if (isBackward) {
    const startsInTail = place.kind === "last" || isInTail;
    const behind = startsInTail ? await tail.read(place, limit) : NOTHING;
    if (behind.rows.length === limit) return { ...behind, nBefore: head.size + behind.nBefore };
    const inHead: PagePlace = startsInTail ? { kind: "last" } : place;
    const ahead = await head.read(inHead, limit - behind.rows.length);
    return { rows: [...ahead.rows, ...behind.rows], nBefore: ahead.nBefore };
  }
  const ahead = isInTail ? NOTHING : await head.read(place, limit);
  if (ahead.rows.length === limit) return ahead;
  const behind = await tail.read(isInTail ? place : FIRST_PAGE, limit - ahead.rows.length);
  const nBefore = ahead.rows.length > 0 ? ahead.nBefore : head.size + behind.nBefore;
  return { rows: [...ahead.rows, ...behind.rows], nBefore };
}

const NOTHING: Piece = { rows: [], nBefore: 0 };

async function readJudged(
  store: IndexStore,
  jobId: number,
  { selection, counts, descending }: ReviewedRequest,
): Promise<Part> {
  const names = [...counts.keys()].filter((name) => selection.only?.includes(name) ?? true);
  const { rows: byName } =
    names.length === 0
      ? NOTHING
      : await readTasks(store, jobId, { ...selection, only: names }, BY_NAME, FIRST_PAGE, names.length);
  const sign = descending ? -1 : 1;
  const countOf = ({ taskName }: TaskRow) => counts.get(taskName) ?? 0;
  const rows = byName.toSorted((a, b) => sign * (countOf(a) - countOf(b)));
  const compare = (row: TaskRow, [count, position]: Cursor) =>
    sign * (countOf(row) - Number(count)) || row.position - Number(position);
  const read = (place: PagePlace, limit: number): Piece => {
    let from = 0;
    let to = rows.length;
    if (place.kind === "after") from = countWhere(rows, (row) => compare(row, place.cursor) <= 0);
    if (place.kind === "before") to = countWhere(rows, (row) => compare(row, place.cursor) < 0);
    if (place.kind === "before" || place.kind === "last") from = Math.max(0, to - limit);
    return { rows: rows.slice(from, Math.min(to, from + limit)), nBefore: from };
  };
  return { size: rows.length, read: (place, limit) => Promise.resolve(read(place, limit)) };
}

const BY_NAME = { by: "position", descending: false } as const;

function countWhere(rows: readonly TaskRow[], fits: (row: TaskRow) => boolean): number {
  return rows.filter(fits).length;
}

/** The tasks nobody judged, by name. */
async function openRest(store: IndexStore, jobId: number, request: ReviewedRequest): Promise<Part> {
  const except = [...new Set([...request.selection.except, ...request.counts.keys()])];
  const selection = { ...request.selection, except };
  const { nMatching } = await readTasks(store, jobId, selection, BY_NAME, FIRST_PAGE, 1);
  return {
    size: nMatching,
    read: async (place, limit) => {
      const page = await readTasks(store, jobId, selection, BY_NAME, toNamePlace(place), limit);
      if (!("cursor" in place)) return page;
      // Behind the last and before the first row, the index gives the nearest page instead of none.
      const position = Number(place.cursor[1]);
      const isBeyond = (row: TaskRow) =>
        place.kind === "after" ? row.position > position : row.position < position;
      if (page.rows.every(isBeyond)) return page;
      return { rows: [], nBefore: place.kind === "after" ? nMatching : 0 };
    },
  };
}

/** A place among all tasks as one among tasks by name, whose cursor ends with the position. */
function toNamePlace(place: PagePlace): PagePlace {
  if (!("cursor" in place)) return place;
  const position = place.cursor[1] ?? null;
  return { ...place, cursor: [position, place.kind === "after" ? Number.MAX_SAFE_INTEGER : 0] };
}
