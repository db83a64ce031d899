import type { ListPage, ListRange } from "@/lib/core/domain/list-page";
import type { Figure } from "@/lib/core/domain/verification";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";
import { contains, isAmong, readListPage, readRowsAt, type SortKey } from "./query";

/** Empty lists and an empty text mean no filter. */
interface FigureSelection {
  readonly text: string;
  readonly verdicts: readonly string[];
  readonly kinds: readonly string[];
  readonly groups: readonly string[];
  readonly path: string | null;
}

export interface FigureRow extends Omit<Figure, "trialKeys"> {
  readonly nTrials: number;
}

const WORST_FIRST: readonly SortKey[] = [{ column: "severity" }, { column: "position" }];

export async function readFigures(
  store: IndexStore,
  jobRowId: number,
  selection: FigureSelection,
  range: ListRange,
): Promise<ListPage<FigureRow>> {
  let list = store.db.selectFrom("figures").where("jobRowId", "=", jobRowId);
  if (selection.text !== "") list = list.where(contains("figures.search", selection.text.toLowerCase()));
  for (const [column, values] of [
    ["verdict", selection.verdicts],
    ["kind", selection.kinds],
    ["groupKey", selection.groups],
  ] as const) {
    if (values.length > 0) list = list.where(isAmong(store, column, values));
  }
  if (selection.path !== null) list = list.where("path", "=", toColumnText(selection.path));
  const page = await readListPage(list.select("position"), WORST_FIRST, range);
  const positions = page.rows.map(({ position }) => position);
  return { ...page, rows: (await readRowsAt(store, "figures", jobRowId, positions)).map(toFigure) };
}

export async function readFiguresOfKind(
  { db }: IndexStore,
  jobRowId: number,
  kinds: readonly Figure["kind"][],
  trial: number | null = null,
): Promise<readonly FigureRow[]> {
  let list = db.selectFrom("figures").selectAll().where("jobRowId", "=", jobRowId).where("kind", "in", kinds);
  // Reward files are figures of single trials, so the whole text is the position.
  if (trial !== null) list = list.where("trials", "=", String(trial));
  return (await list.orderBy("position").execute()).map(toFigure);
}

function toFigure({ groupKey, ...row }: Stored<"figures">): FigureRow {
  const { kind, path, recorded, recomputed, verdict, ulps, reason, rule, nTrials } = row;
  return { kind, path, group: groupKey, recorded, recomputed, verdict, ulps, reason, rule, nTrials };
}
