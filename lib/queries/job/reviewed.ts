import "server-only";

import { type ListPage, type ListRange, placeInList } from "@/lib/domain/list-page";
import { type IndexStore, readTasks, type TaskRow, type TaskSelection } from "@/lib/store";

/** Which tasks, how often each was judged, and which of the list. */
export interface ReviewedRequest {
  readonly selection: TaskSelection;
  /** Judged attempts by task; a task without any is absent. */
  readonly counts: ReadonlyMap<string, number>;
  readonly descending: boolean;
  readonly range: ListRange;
}

const BY_NAME = { by: "position", descending: false } as const;

/** One page of a job's tasks by their judged attempts: the few judged ones are sorted here, the others come by name. */
export async function readReviewedTasks(
  store: IndexStore,
  jobRowId: number,
  { selection, counts, descending, range }: ReviewedRequest,
): Promise<ListPage<TaskRow>> {
  const countOf = ({ taskName }: TaskRow) => counts.get(taskName) ?? 0;
  const others = { ...selection, except: [...new Set([...selection.except, ...counts.keys()])] };
  const readOthers = (from: number, limit: number) =>
    readTasks(store, jobRowId, others, BY_NAME, { from, limit });
  const [named, { nMatching: nOthers }] = await Promise.all([
    readNamed(store, jobRowId, selection, [...counts.keys()]),
    readOthers(0, 1),
  ]);
  const judged = named.toSorted((a, b) => (descending ? -1 : 1) * (countOf(a) - countOf(b)));
  const place = placeInList(range, judged.length + nOthers);
  // The others stand before the judged ones or behind them.
  const [judgedFrom, othersFrom] = descending ? [0, judged.length] : [nOthers, 0];
  const [start, end] = [place.nBefore, place.nBefore + range.limit];
  const ownStart = Math.max(start, othersFrom) - othersFrom;
  const ownEnd = Math.min(end, othersFrom + nOthers) - othersFrom;
  const own = ownStart < ownEnd ? (await readOthers(ownStart, ownEnd - ownStart)).rows : [];
  const shown = judged.slice(Math.max(0, start - judgedFrom), Math.max(0, end - judgedFrom));
  return { rows: descending ? [...shown, ...own] : [...own, ...shown], ...place };
}

/** Those of the tasks that fit the selection, by name. */
async function readNamed(
  store: IndexStore,
  jobRowId: number,
  selection: TaskSelection,
  names: readonly string[],
): Promise<readonly TaskRow[]> {
  const only = names.filter((name) => selection.only?.includes(name) ?? true);
  if (only.length === 0) return [];
  const range = { from: 0, limit: only.length };
  return (await readTasks(store, jobRowId, { ...selection, only }, BY_NAME, range)).rows;
}
