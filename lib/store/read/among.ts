import { sql, type SqlBool } from "kysely";

import { toColumnText } from "@/lib/database";

import type { IndexStore } from "../open-store";

/**
 * A condition: the column is one of any number of values. They travel as one parameter, because a statement has room for
 * 32,766 of them on SQLite and for 65,535 on PostgreSQL, and more trials than that may be behind one figure.
 */
export function isAmong({ engine }: IndexStore, column: string, values: Iterable<string> | Iterable<number>) {
  const list = Array.from<string | number, string | number>(values, (value) =>
    typeof value === "string" ? toColumnText(value) : value,
  );
  const ref = sql.ref(column);
  return engine === "sqlite"
    ? sql<SqlBool>`(${ref} in (select value from json_each(${JSON.stringify(list)})))`
    : sql<SqlBool>`(${ref} = any(${sql.val(list)}))`;
}
