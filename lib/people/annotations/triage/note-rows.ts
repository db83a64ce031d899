import { z } from "zod";

import { TRIAGE_LIMITS } from "@/lib/core/domain/triage-note";

import { check } from "../issues";
import { type AnnotationDb, parseJson } from "../record";
import type { AnnotationStore } from "../store";
import { timeColumn } from "../stored-columns";

export const line = (limit: number) =>
  z
    .string()
    .max(limit, `At most ${limit.toLocaleString("en-US")} characters.`)
    .transform((text) =>
      text.toWellFormed().replaceAll("\0", "").normalize("NFC").replace(/\s+/gu, " ").trim(),
    );

/** Stored with a cluster's name, so that it stays known without open trials. */
export const clusterSchema = z.object({
  kind: line(40),
  scope: line(TRIAGE_LIMITS.about),
  pattern: line(TRIAGE_LIMITS.about),
});

export interface TriageChange {
  readonly seq: number;
  readonly text: string | null;
  /** Set only if another user undid a dismissal. */
  readonly undoReason: string | null;
  readonly author: string;
  readonly createdAt: string;
}

export interface ClusterName {
  readonly key: string;
  readonly name: string | null;
  readonly cluster: z.output<typeof clusterSchema>;
  readonly history: readonly TriageChange[];
}

export interface Dismissal {
  readonly key: string;
  readonly title: string;
  readonly reason: string | null;
  readonly history: readonly TriageChange[];
}

export interface TriageNotes {
  readonly names: ReadonlyMap<string, ClusterName>;
  readonly dismissals: ReadonlyMap<string, Dismissal>;
  /** Hash of the browser's key by change number, if known. Never sent to pages. */
  readonly browserKeys: ReadonlyMap<number, string>;
  readonly version: number;
  readonly problem: string | null;
}

export const NO_NOTES: TriageNotes = {
  names: new Map(),
  dismissals: new Map(),
  browserKeys: new Map(),
  version: 0,
  problem: null,
};

const known = new WeakMap<AnnotationDb, TriageNotes>();

export function readTriageNotes(store: AnnotationStore): Promise<TriageNotes> {
  return store.read(NO_NOTES, async (db) => {
    const notes = await selectNotes(db, known.get(db) ?? NO_NOTES);
    known.set(db, notes);
    return notes;
  });
}

const about = z.string().transform(parseJson);
const change = {
  seq: z.number(),
  target: z.string(),
  author: z.string(),
  created_at: timeColumn,
  browser_key_hash: z.string().nullable(),
};
const rowSchema = z.discriminatedUnion("kind", [
  z.object({
    ...change,
    kind: z.literal("named"),
    text: z.string().nullable(),
    about: about.pipe(clusterSchema),
  }),
  z.object({
    ...change,
    kind: z.literal("dismissed"),
    text: z.string(),
    about: about.pipe(z.object({ title: z.string() })),
  }),
  z.object({
    ...change,
    kind: z.literal("restored"),
    text: z.null(),
    about: about.pipe(z.object({ reason: z.string() }).nullable()),
  }),
]);

export type NoteEvent = z.output<typeof rowSchema>;

export async function selectNoteEvents(db: AnnotationDb): Promise<readonly NoteEvent[]> {
  const rows = await db.selectFrom("triage_note").selectAll().orderBy("seq").execute();
  return rows.flatMap((row) => {
    const parsed = check(rowSchema, row);
    return parsed.success ? parsed.data : [];
  });
}

export async function selectNotes(db: AnnotationDb, before: TriageNotes): Promise<TriageNotes> {
  const rows = await db
    .selectFrom("triage_note")
    .selectAll()
    .where("seq", ">", before.version)
    .orderBy("seq")
    .execute();
  if (rows.length === 0) return before;
  const names = new Map(before.names);
  const dismissals = new Map(before.dismissals);
  const browserKeys = new Map(before.browserKeys);
  let { problem } = before;
  for (const row of rows) {
    const parsed = check(rowSchema, row);
    if (parsed.success) fold({ names, dismissals, browserKeys }, parsed.data);
    else
      problem ??= `Row ${String(row.seq)} of the table triage_note cannot be read and counts for nothing. Update Assay if a newer version wrote it.`;
  }
  return { names, dismissals, browserKeys, version: rows.at(-1)?.seq ?? before.version, problem };
}

interface Folding {
  readonly names: Map<string, ClusterName>;
  readonly dismissals: Map<string, Dismissal>;
  readonly browserKeys: Map<number, string>;
}

function fold({ names, dismissals, browserKeys }: Folding, row: NoteEvent): void {
  const { seq, target: key, text, author: by, created_at: createdAt } = row;
  const undoReason = row.kind === "restored" ? (row.about?.reason ?? null) : null;
  const added: TriageChange = { seq, text, undoReason, author: by, createdAt };
  if (row.browser_key_hash !== null) browserKeys.set(seq, row.browser_key_hash);
  if (row.kind === "named") {
    const history = [...(names.get(key)?.history ?? []), added];
    names.set(key, { key, name: text, cluster: row.about, history });
    return;
  }
  const current = dismissals.get(key);
  const title = row.kind === "dismissed" ? row.about.title : (current?.title ?? "");
  dismissals.set(key, { key, title, reason: text, history: [...(current?.history ?? []), added] });
}
