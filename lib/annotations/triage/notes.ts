import { z } from "zod";

import { DRAFT_LIMITS } from "@/lib/domain/annotation";
import { ConflictError, ValidationError } from "@/lib/domain/app-error";
import { TRIAGE_LIMITS } from "@/lib/domain/triage-note";

import { check, collectFieldMessages, describeFirstIssue, refuseHidden } from "../issues";
import { type AnnotationDb, parseJson } from "../record";
import type { AnnotationStore } from "../store";
import { timeColumn } from "../stored-columns";

const line = (limit: number) =>
  z
    .string()
    .max(limit, `At most ${limit.toLocaleString("en-US")} characters.`)
    .transform((text) =>
      text.toWellFormed().replaceAll("\0", "").normalize("NFC").replace(/\s+/gu, " ").trim(),
    );

const author = line(DRAFT_LIMITS.reviewerId).pipe(
  z.string().min(1, "Enter your name: it is shown with the change.").superRefine(refuseHidden),
);
const target = z.string().min(1).max(TRIAGE_LIMITS.target);
/** Number of the last change of the target that its author saw; 0 without any. */
const base = z.int().min(0);

/** What a cluster is, kept with its name: so it is known, and keeps its near-duplicates, while no open folder has a trial of it. */
const clusterSchema = z.object({
  kind: line(40),
  scope: line(TRIAGE_LIMITS.about),
  pattern: line(TRIAGE_LIMITS.about),
});

const nameSchema = z.object({
  key: z.string().regex(/^[\da-f]{16}$/u, "There is no such cluster."),
  /** Empty takes the name back. */
  name: line(TRIAGE_LIMITS.name).pipe(z.string().superRefine(refuseHidden)),
  cluster: clusterSchema,
  author,
  base,
});
const dismissSchema = z.object({
  key: target,
  title: line(TRIAGE_LIMITS.about).pipe(z.string().min(1)),
  reason: line(TRIAGE_LIMITS.reason).pipe(z.string().min(1, "Say why: others will read it.")),
  author,
  base,
});
const restoreSchema = z.object({ key: target, author, base });

/** One change of a name or a dismissal. */
export interface TriageChange {
  /** Number of the change: grows over all changes of the store. */
  readonly seq: number;
  /** The name or the reason; null where it was undone. */
  readonly text: string | null;
  readonly author: string;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
}

/** What people call a cluster. */
export interface ClusterName {
  readonly key: string;
  /** Null where it was undone. */
  readonly name: string | null;
  readonly cluster: z.output<typeof clusterSchema>;
  /** At least one, the oldest first. */
  readonly history: readonly TriageChange[];
}

/** A finding that somebody dismissed. */
export interface Dismissal {
  readonly key: string;
  /** What the finding said when it was dismissed. */
  readonly title: string;
  /** Null where it was restored: it is shown again. */
  readonly reason: string | null;
  /** At least one, the oldest first. */
  readonly history: readonly TriageChange[];
}

/** All that people say of clusters and findings. */
export interface TriageNotes {
  /** By cluster key. */
  readonly names: ReadonlyMap<string, ClusterName>;
  /** By finding key. */
  readonly dismissals: ReadonlyMap<string, Dismissal>;
  /** Number of the last change; 0 without any. */
  readonly version: number;
  /** What of it cannot be read, and what to do; null when everything can. */
  readonly problem: string | null;
}

const NO_NOTES: TriageNotes = { names: new Map(), dismissals: new Map(), version: 0, problem: null };

/** The last notes of each open store; changes are only ever added, so the last number names the state. */
const known = new WeakMap<AnnotationDb, TriageNotes>();

/** Returns what people say of clusters and findings; empty while there is no store. @throws StoreError */
export function readTriageNotes(store: AnnotationStore): Promise<TriageNotes> {
  return store.read(NO_NOTES, async (db) => {
    const notes = await selectNotes(db, known.get(db) ?? NO_NOTES);
    known.set(db, notes);
    return notes;
  });
}

/**
 * Names a cluster, or takes its name back with an empty one. Earlier names stay in the history.
 *
 * @param input - checked here: key, name, cluster, author and base, the number of the last change that was seen
 * @throws ValidationError with a sentence per field; ConflictError of the name that somebody gave meanwhile
 */
export async function nameCluster(
  store: AnnotationStore,
  input: unknown,
  now: Date = new Date(),
): Promise<void> {
  const { key, name, cluster, ...change } = parse(nameSchema, input);
  await add(
    store,
    { kind: "named", target: key, text: name === "" ? null : name, about: cluster },
    change,
    now,
  );
}

/**
 * Dismisses a finding for everybody, with a reason.
 *
 * @param input - checked here: key, title, reason, author and base
 * @throws ValidationError with a sentence per field; ConflictError of what somebody did meanwhile
 */
export async function dismissFinding(
  store: AnnotationStore,
  input: unknown,
  now: Date = new Date(),
): Promise<void> {
  const { key, title, reason, ...change } = parse(dismissSchema, input);
  await add(store, { kind: "dismissed", target: key, text: reason, about: { title } }, change, now);
}

/**
 * Undoes a dismissal.
 *
 * @param input - checked here: key, author and base
 * @throws ValidationError with a sentence per field, and for a finding that is not dismissed; ConflictError
 */
export async function restoreFinding(
  store: AnnotationStore,
  input: unknown,
  now: Date = new Date(),
): Promise<void> {
  const { key, ...change } = parse(restoreSchema, input);
  await add(store, { kind: "restored", target: key, text: null, about: null }, change, now);
}

interface Event {
  readonly kind: "named" | "dismissed" | "restored";
  readonly target: string;
  readonly text: string | null;
  readonly about: object | null;
}

async function add(
  store: AnnotationStore,
  { kind, target: key, text, about }: Event,
  change: { readonly author: string; readonly base: number },
  now: Date,
): Promise<void> {
  await store.write(async (db) => {
    const notes = await selectNotes(db, NO_NOTES);
    const current = (kind === "named" ? notes.names : notes.dismissals).get(key);
    const last = current?.history.at(-1);
    if ((last?.seq ?? 0) !== change.base)
      throw new ConflictError(
        `${last?.author ?? "Somebody"} changed this meanwhile. Look at it again.`,
        current ?? null,
      );
    if (kind === "restored" && (last?.text ?? null) === null)
      throw new ValidationError("This finding is not dismissed.", {});
    const row = {
      kind,
      target: key,
      text,
      about: JSON.stringify(about),
      author: change.author,
      created_at: now.toISOString(),
    };
    await db.insertInto("triage_note").values(row).execute();
  });
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = check(schema, input);
  if (parsed.success) return parsed.data;
  throw new ValidationError(describeFirstIssue(parsed.error), collectFieldMessages(parsed.error, "whole"));
}

const about = z.string().transform(parseJson);
const change = { seq: z.number(), target: z.string(), author: z.string(), created_at: timeColumn };
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
  z.object({ ...change, kind: z.literal("restored"), text: z.null() }),
]);

async function selectNotes(db: AnnotationDb, before: TriageNotes): Promise<TriageNotes> {
  const rows = await db
    .selectFrom("triage_note")
    .selectAll()
    .where("seq", ">", before.version)
    .orderBy("seq")
    .execute();
  if (rows.length === 0) return before;
  const names = new Map(before.names);
  const dismissals = new Map(before.dismissals);
  let { problem } = before;
  for (const row of rows) {
    const parsed = check(rowSchema, row);
    if (parsed.success) fold({ names, dismissals }, parsed.data);
    else
      problem ??= `Row ${String(row.seq)} of the table triage_note cannot be read and counts for nothing. Update Assay if a newer version wrote it.`;
  }
  return { names, dismissals, version: rows.at(-1)?.seq ?? before.version, problem };
}

interface Folding {
  readonly names: Map<string, ClusterName>;
  readonly dismissals: Map<string, Dismissal>;
}

function fold({ names, dismissals }: Folding, row: z.output<typeof rowSchema>): void {
  const { seq, target: key, text, author: by, created_at: createdAt } = row;
  const added: TriageChange = { seq, text, author: by, createdAt };
  if (row.kind === "named") {
    const history = [...(names.get(key)?.history ?? []), added];
    names.set(key, { key, name: text, cluster: row.about, history });
    return;
  }
  const current = dismissals.get(key);
  const title = row.kind === "dismissed" ? row.about.title : (current?.title ?? "");
  dismissals.set(key, { key, title, reason: text, history: [...(current?.history ?? []), added] });
}
