import { randomUUID } from "node:crypto";

import { z } from "zod";

import { insertStatements } from "../insert";
import { check } from "../issues";
import { type AnnotationDb, parseJson } from "../record";
import type { AnnotationStore } from "../store";
import { timeColumn } from "../stored-columns";
import type { StatementKind } from "../tables";

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
  const empty: Folded<State> = { ...nothing, version: 0, problem: null };
  const known = new WeakMap<AnnotationDb, Folded<State>>();
  const foldAfter = async (db: AnnotationDb, before: Folded<State>): Promise<Folded<State>> => {
    const rows = await selectRows(db, kind).where("seq", ">", before.version).execute();
    const version = rows.at(-1)?.seq;
    if (version === undefined) return before;
    const { statements, problem } = readRows(kind, rows);
    return { ...fold(before, statements), version, problem: before.problem ?? problem };
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

function readRows<Body>(
  { name, body }: Kind<Body>,
  rows: readonly object[],
): { readonly statements: readonly Statement<Body>[]; readonly problem: string | null } {
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
  let problem: string | null = null;
  for (const row of rows) {
    const parsed = check(rowSchema, row);
    if (parsed.success) statements.push(parsed.data);
    else
      problem ??= `Row ${"seq" in row ? String(row.seq) : ""} of the table statement (${name}) cannot be read and counts for nothing. Update Assay if a newer version wrote it.`;
  }
  return { statements, problem };
}
