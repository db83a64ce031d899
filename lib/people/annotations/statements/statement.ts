import { randomUUID } from "node:crypto";

import type { Insertable } from "kysely";
import { z } from "zod";

import { takeTurns } from "@/lib/store/database";

import { check } from "../issues";
import type { AnnotationStore } from "../store";
import {
  computeChecksum,
  describeDamaged,
  isIntact,
  type StoredRow,
  describeWrongColumn,
  parseJson,
  timeColumn,
  type UnreadableRow,
} from "../stored-columns";
import { type AnnotationDb, findOrigin, KEPT_KINDS, type StatementKind, type StatementRow } from "../tables";

export interface Kind<Body> {
  readonly name: StatementKind;
  readonly body: z.ZodType<Body>;
  /** Returns what is wrong although each column is right. */
  readonly findContradiction?: (statement: Statement<Body>) => string | null;
  readonly describeProblem?: (row: UnreadableRow) => string;
}

export interface NewStatement<Body = unknown> {
  readonly kind: StatementKind;
  readonly id?: string;
  readonly subject: string;
  /** Statement that this one belongs to or undoes. */
  readonly parent?: string | null;
  readonly author: string;
  /** See `hashBrowserKey`. Null if unknown. Never shown or exported. */
  readonly actor: string | null;
  readonly at: string;
  readonly body: Body;
}

export type MadeStatement<Body = unknown> = Required<NewStatement<Body>>;

export interface Statement<Body = unknown> extends MadeStatement<Body> {
  readonly seq: number;
}

/** Omits statements that withdraw others, and those that are withdrawn. */
export function listStanding<Any extends Pick<Statement, "id" | "parent">>(
  statements: readonly Any[],
): readonly Any[] {
  const withdrawn = new Set(statements.map(({ parent }) => parent));
  return statements.filter(({ id, parent }) => parent === null && !withdrawn.has(id));
}

export type Folded<State> = State & {
  /** Number of the last statement. */
  readonly version: number;
  readonly unreadable: readonly UnreadableRow[];
  readonly problem: string | null;
};

export function createReader<Body, State>(
  kind: Kind<Body>,
  nothing: State,
  fold: (
    before: Folded<State>,
    added: readonly Statement<Body>[],
    unreadable: readonly UnreadableRow[],
  ) => State,
) {
  const empty: Folded<State> = { ...nothing, version: 0, unreadable: [], problem: null };
  const known = new WeakMap<AnnotationDb, Folded<State>>();
  const foldAfter = async (db: AnnotationDb, before: Folded<State>): Promise<Folded<State>> => {
    const rows = await selectRows(db, kind).where("seq", ">", before.version).execute();
    const version = rows.at(-1)?.seq;
    if (version === undefined) return before;
    const { statements, unreadable } = readStatements(kind, rows);
    const [first] = unreadable;
    return {
      ...fold(before, statements, unreadable),
      version,
      unreadable: [...before.unreadable, ...unreadable],
      problem: before.problem ?? (first === undefined ? null : describeProblem(kind, first)),
    };
  };
  const foldNew = async (db: AnnotationDb): Promise<Folded<State>> => {
    const before = known.get(db) ?? known.get(findOrigin(db)) ?? empty;
    const state = await foldAfter(db, before);
    known.set(db, state);
    return state;
  };
  return {
    select: async (db: AnnotationDb, subject?: string) => {
      const rows = await selectRows(db, kind)
        .where((eb) => eb.and(subject === undefined ? {} : { subject }))
        .execute();
      return readStatements(kind, rows).statements;
    },
    /** Folds only statements since the last call for the open store. Returns the same object until there are any. */
    fold: foldNew,
    read: (store: AnnotationStore) => store.read(empty, foldNew),
  };
}

/** Creates a reader of all statements of a kind, in their order. */
export function createLogReader<Body, Event>(
  kind: Kind<Body>,
  toEvent: (statement: Statement<Body>) => Event,
) {
  const nothing = { events: [] as readonly Event[] };
  return createReader(kind, nothing, ({ events }, added) => ({ events: [...events, ...added.map(toEvent)] }));
}

export async function addStatements(db: AnnotationDb, added: readonly NewStatement[], taken?: "skip") {
  const rows = added.map(({ id = randomUUID(), parent = null, body, ...row }) => ({
    ...row,
    id,
    parent,
    body: JSON.stringify(body),
  }));
  await insertStatements(db, rows, taken);
}

/** Engines limit the values of a statement. */
const ROWS_AT_ONCE = 100;

/**
 * Inserts rows with their checksums: a row without one counts for nothing. Refuses ids that the kind has already, or skips them.
 */
export async function insertStatements(
  db: AnnotationDb,
  rows: readonly Insertable<StatementRow>[],
  taken?: "skip",
): Promise<void> {
  const added = rows.map((row) => ({ ...row, checksum: computeChecksum("statement", { ...row }) }));
  for await (const some of takeTurns(added, ROWS_AT_ONCE)) {
    const insert = db.insertInto("statement").values(some);
    await (taken === "skip" ? insert.onConflict((conflict) => conflict.doNothing()) : insert).execute();
  }
}

function selectRows<Body>(db: AnnotationDb, { name }: Kind<Body>) {
  return db.selectFrom("statement").selectAll().where("kind", "=", name).orderBy("seq");
}

export function readStatements<Body>(
  { name, body, findContradiction = () => null }: Kind<Body>,
  rows: readonly StoredRow[],
) {
  const columns: z.ZodType<Statement<Body>> = z.object({
    seq: z.number(),
    id: z.string(),
    kind: z.literal(name),
    subject: z.string(),
    parent: z.string().nullable(),
    author: z.string(),
    actor: z.string().nullable(),
    at: timeColumn,
    body: z.string().transform(parseJson).pipe(body),
  });
  const rowSchema = columns.superRefine((statement, context) => {
    const message = findContradiction(statement);
    if (message !== null) context.addIssue(message);
  });
  const statements: Statement<Body>[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const row of rows) {
    const parsed = check(rowSchema, row);
    if (KEPT_KINDS.includes(name) && !isIntact("statement", row)) unreadable.push(describeDamaged(row));
    else if (parsed.success) statements.push(parsed.data);
    else unreadable.push({ ...describeDamaged(row), problem: describeWrongColumn(parsed.error) });
  }
  return { statements, unreadable };
}

function describeProblem<Body>({ name, describeProblem: describe }: Kind<Body>, row: UnreadableRow): string {
  return (
    describe?.(row) ??
    `Row ${String(row.seq)} of the table statement (${name}) cannot be read and is not counted. Update Assay if a newer version wrote it.`
  );
}
