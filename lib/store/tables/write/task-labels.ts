import { sql, type Transaction } from "kysely";

import type { TaskRun } from "@/lib/core/domain/task-labels";

import type { IndexStore } from "../open-store";
import type { IndexTables, Stored } from "../schema/tables";
import { createVersion, insertJobRows } from "./rows";
import { deleteJobRows } from "./search-rows";
import { FAILURE_TABLES, UNREAD } from "./source";

interface StoredTaskRun extends TaskRun {
  readonly jobRowId: number;
  readonly position: number;
}

const RECORDED = sql`coalesce(l."taskName", t."taskName")`;
const NAMED = sql`trials as t left join "taskLabels" as l on l."jobRowId" = t."jobRowId" and l.position = t."taskPosition"`;

export async function readTaskRuns({ db }: IndexStore): Promise<readonly StoredTaskRun[]> {
  const statement = sql<StoredTaskRun>`select t."jobRowId", t."taskPosition" as position,
    ${RECORDED} as "taskName", t."taskDigest", g.source, s.root, s.folder
    from ${NAMED} join jobs as j on j.id = t."jobRowId" join sources as s on s.id = j."sourceId"
    left join groups as g on g."jobRowId" = t."jobRowId" and g.key = t."groupKey"
    where t."taskDigest" is not null and ${RECORDED} in (select ${RECORDED} from ${NAMED}
      group by 1 having min(t."taskDigest") <> max(t."taskDigest"))
    group by t."jobRowId", t."taskPosition", 3, t."taskDigest", g.source, s.root, s.folder`;
  return (await statement.execute(db)).rows;
}

/** Renames tasks whose labels changed. Marks their jobs as unclassified, as clusters depend on the task. */
export async function replaceTaskLabels(
  store: IndexStore,
  db: Transaction<IndexTables>,
  labels: readonly Stored<"taskLabels">[],
): Promise<void> {
  const placeOf = ({ jobRowId, position }: Stored<"taskLabels">) => `${jobRowId} ${position}`;
  const before = new Map(
    (await db.selectFrom("taskLabels").selectAll().execute()).map((row) => [placeOf(row), row]),
  );
  const now = new Map(labels.map((row) => [placeOf(row), row]));
  const changed = new Set<number>();
  for (const [place, row] of new Map([...before, ...now])) {
    const from = before.get(place)?.label ?? row.taskName;
    const to = now.get(place)?.label ?? row.taskName;
    if (from === to) continue;
    changed.add(row.jobRowId);
    await renameTask(db, row, from, to);
  }
  if (changed.size === 0) return;
  await db.deleteFrom("taskLabels").execute();
  for (const [id, rows] of Map.groupBy(now.values(), ({ jobRowId }) => jobRowId))
    await insertJobRows(store, db, "taskLabels", id, rows);
  for (const id of changed) {
    await deleteJobRows(db, FAILURE_TABLES, id);
    const version = createVersion();
    const changes = { version, trialsVersion: version, failureRules: UNREAD.failureRules };
    await db.updateTable("jobs").set(changes).where("id", "=", id).execute();
  }
}

async function renameTask(
  db: Transaction<IndexTables>,
  { jobRowId, position }: Stored<"taskLabels">,
  from: string,
  to: string,
): Promise<void> {
  const search = to.toLowerCase();
  const rest = sql<string>`substr(search, length(cast(${from.toLowerCase()} as text)) + 1)`;
  await db
    .updateTable("trials")
    .set({ taskName: to, search: sql<string>`cast(${search} as text) || ${rest}` })
    .where("jobRowId", "=", jobRowId)
    .where("taskPosition", "=", position)
    .execute();
  await db
    .updateTable("tasks")
    .set({ taskName: to, search })
    .where("jobRowId", "=", jobRowId)
    .where("position", "=", position)
    .execute();
}
