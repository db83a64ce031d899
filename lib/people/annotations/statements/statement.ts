import { randomUUID } from "node:crypto";

import type { Selectable } from "kysely";
import { z } from "zod";

import { insertStatements } from "../insert";
import { check } from "../issues";
import { type AnnotationDb, parseJson } from "../record";
import type { AnnotationStore } from "../store";
import { describeWrongColumn, timeColumn } from "../stored-columns";
import type { StatementKind, StatementRow } from "../tables";
import type { UnreadableRow } from "../unreadable-row";

export interface Kind<Body> {
  readonly name: StatementKind;
  readonly body: z.ZodType<Body>;
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

export type Statement<Body> = Required<NewStatement<Body>> & { readonly seq: number };

export type Folded<State> = State & {
  /** Number of the last statement. */
  readonly version: number;
  readonly unreadable: readonly UnreadableRow[];
  readonly problem: string | null;
};

export interface Reader<Body, State> {
  readonly select: (db: AnnotationDb, subject?: string) => Promise<readonly Statement<Body>[]>;
  readonly fold: (db: AnnotationDb) => Promise<Folded<State>>;
  /** Folds only new statements. Returns the same object until there are any. @throws StoreError */
  readonly read: (store: AnnotationStore) => Promise<Folded<State>>;
}

export function createReader<Body, State>(
  kind: Kind<Body>,
  nothing: State,
  fold: (before: State, added: readonly Statement<Body>[]) => State,
): Reader<Body, State> {
  const empty: Folded<State> = { ...nothing, version: 0, unreadable: [], problem: null };
  const known = new WeakMap<AnnotationDb, Folded<State>>();
  const foldAfter = async (db: AnnotationDb, before: Folded<State>): Promise<Folded<State>> => {
    const rows = await selectRows(db, kind).where("seq", ">", before.version).execute();
    const version = rows.at(-1)?.seq;
    if (version === undefined) return before;
    const { statements, unreadable } = readRows(kind, rows);
    return {
      ...fold(before, statements),
      version,
      unreadable: [...before.unreadable, ...unreadable],
      problem: before.problem ?? describeProblem(kind, unreadable[0]),
    };
  };
  return {
    select: async (db, subject) => {
      const query = selectRows(db, kind);
      const rows = await (subject === undefined ? query : query.where("subject", "=", subject)).execute();
      return readRows(kind, rows).statements;
    },
    fold: (db) => foldAfter(db, empty),
    read: (store) =>
      store.read(empty, async (db) => {
        const state = await foldAfter(db, known.get(db) ?? empty);
        known.set(db, state);
        return state;
      }),
  };
}

export async function addStatements(db: AnnotationDb, added: readonly NewStatement[]): Promise<void> {
  const rows = added.map(({ id = randomUUID(), parent = null, body, ...row }) => ({
    ...row,
    id,
    parent,
    body: JSON.stringify(body),
  }));
  await insertStatements(db, "statement", rows);
}

function selectRows<Body>(db: AnnotationDb, { name }: Kind<Body>) {
  return db.selectFrom("statement").selectAll().where("kind", "=", name).orderBy("seq");
}

function readRows<Body>({ name, body }: Kind<Body>, rows: readonly Selectable<StatementRow>[]) {
  const rowSchema: z.ZodType<Statement<Body>> = z.object({
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
  const statements: Statement<Body>[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const row of rows) {
    const parsed = check(rowSchema, row);
    const { seq, actor: _, ...columns } = row;
    if (parsed.success) statements.push(parsed.data);
    else unreadable.push({ seq, problem: describeWrongColumn(parsed.error), columns });
  }
  return { statements, unreadable };
}

function describeProblem<Body>({ name }: Kind<Body>, row: UnreadableRow | undefined): string | null {
  if (row === undefined) return null;
  return `Row ${String(row.seq)} of the table statement (${name}) cannot be read and counts for nothing. Update Assay if a newer version wrote it.`;
}
