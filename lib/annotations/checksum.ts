import { hash } from "node:crypto";

import {
  ColumnNode,
  InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from "kysely";

import { toColumnText } from "@/lib/database";

/** Append-only tables and their keys. A table of a later migration needs the column `checksum` from its start. */
export const STATEMENT_TABLES = {
  annotation_version: ["seq"],
  adjudication: ["seq"],
  codebook_change: ["version"],
  review_queue: ["seq"],
  review_queue_item: ["queue_id", "position"],
  review_queue_event: ["seq"],
  triage_note: ["seq"],
  suggestion_answer: ["seq"],
  tag_import: ["seq"],
  imported_tag: ["seq"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type StatementTable = keyof typeof STATEMENT_TABLES;

export type StoredRow = Readonly<Record<string, unknown>>;

const isStatementTable = (name: string): name is StatementTable => Object.hasOwn(STATEMENT_TABLES, name);

/** The database numbers a row after its checksum is computed. */
const readNumberColumn = (table: StatementTable): string | null => {
  const [column, ...others] = STATEMENT_TABLES[table];
  return others.length === 0 ? column : null;
};

/** Base64 characters, 132 bits. */
const LENGTH = 22;

/**
 * Returns part of the SHA-256 of a row, equal on both engines. Skips nulls, so that a later column keeps the checksums of
 * earlier rows if its default is null.
 */
export function computeChecksum(table: StatementTable, row: StoredRow): string {
  const number = readNumberColumn(table);
  const columns = Object.keys(row)
    .filter((name) => name !== number && name !== "checksum" && (row[name] ?? null) !== null)
    .toSorted()
    .map((name) => [name, typeof row[name] === "string" ? toColumnText(row[name]) : row[name]]);
  return hash("sha256", JSON.stringify([table, columns]), "base64").slice(0, LENGTH);
}

/** True also for a row of a file from before there were checksums, which has no such column. */
export function isIntact(table: StatementTable, row: StoredRow): boolean {
  return row["checksum"] === undefined || row["checksum"] === computeChecksum(table, row);
}

/** Completes a sentence about a row. */
export const MISMATCH = "does not match its checksum";

/** Adds the checksum to each statement that is inserted. */
export class ChecksumPlugin implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    const table = InsertQueryNode.is(node) ? node.into?.table.identifier.name : undefined;
    if (!InsertQueryNode.is(node) || table === undefined || !isStatementTable(table)) return node;
    const { columns = [], values } = node;
    if (values === undefined || !ValuesNode.is(values)) throw new Error(`Insert plain values into ${table}.`);
    const names = columns.map(({ column }) => column.name);
    // A copied row brings the checksum of the other.
    const kept = names.flatMap((name, at) => (name === "checksum" ? [] : at));
    const lists = values.values.map((list) => {
      const nodes: readonly OperationNode[] = PrimitiveValueListNode.is(list)
        ? list.values.map((value) => ValueNode.create(value))
        : list.values;
      const row = Object.fromEntries(names.map((name, at) => [name, readValue(nodes[at])]));
      const own = kept.flatMap((at) => nodes[at] ?? []);
      return ValueListNode.create([...own, ValueNode.create(computeChecksum(table, row))]);
    });
    return {
      ...node,
      columns: [...kept.flatMap((at) => columns[at] ?? []), ColumnNode.create("checksum")],
      values: ValuesNode.create(lists),
    } satisfies InsertQueryNode;
  }

  transformResult({
    result,
  }: {
    readonly result: QueryResult<UnknownRow>;
  }): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }
}

/** Returns null for a column that a row of several leaves out. */
function readValue(node: OperationNode | undefined): unknown {
  if (node === undefined || node.kind === "DefaultInsertValueNode") return null;
  if (ValueNode.is(node)) return node.value;
  throw new Error("A statement has plain values only: its checksum is computed before it is stored.");
}
