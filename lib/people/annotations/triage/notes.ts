import { z } from "zod";

import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { ConflictError, ForbiddenError, ValidationError } from "@/lib/core/domain/app-error";
import { TRIAGE_LIMITS } from "@/lib/core/domain/triage-note";

import { parseInput, refuseHidden } from "../issues";
import { type Actor, NO_ACTOR } from "../owner";
import { addStatements, createReader, type Folded, type Statement } from "../statements/statement";
import type { AnnotationStore } from "../store";

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

interface Noted {
  readonly key: string;
  readonly history: readonly TriageChange[];
}

interface ClusterName extends Noted {
  readonly name: string | null;
  readonly cluster: z.output<typeof clusterSchema>;
}

export interface Dismissal extends Noted {
  readonly title: string;
  readonly reason: string | null;
}

interface Notes {
  readonly names: ReadonlyMap<string, ClusterName>;
  readonly dismissals: ReadonlyMap<string, Dismissal>;
  /** Hash of the browser's key by change number, if known. Never sent to pages. */
  readonly browserKeys: ReadonlyMap<number, string>;
}

export type TriageNotes = Folded<Notes>;

const noteSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("named"), text: z.string().nullable(), about: clusterSchema }),
  z.object({ kind: z.literal("dismissed"), text: z.string(), about: z.object({ title: z.string() }) }),
  z.object({
    kind: z.literal("restored"),
    text: z.null(),
    about: z.object({ reason: z.string() }).nullable(),
  }),
]);

export type Note = z.output<typeof noteSchema>;

const { fold: foldNotes, ...reader } = createReader<Note, Notes>(
  { name: "triage_note", body: noteSchema },
  { names: new Map(), dismissals: new Map(), browserKeys: new Map() },
  addNotes,
);

export const { read: readTriageNotes, select: selectNotes } = reader;

function addNotes(before: Notes, added: readonly Statement<Note>[]): Notes {
  const names = new Map(before.names);
  const dismissals = new Map(before.dismissals);
  const browserKeys = new Map(before.browserKeys);
  for (const { seq, subject: key, author, actor, at, body } of added) {
    const undoReason = body.kind === "restored" ? (body.about?.reason ?? null) : null;
    const change: TriageChange = { seq, text: body.text, undoReason, author, createdAt: at };
    if (actor !== null) browserKeys.set(seq, actor);
    if (body.kind === "named") {
      const history = [...(names.get(key)?.history ?? []), change];
      names.set(key, { key, name: body.text, cluster: body.about, history });
      continue;
    }
    const current = dismissals.get(key);
    const title = body.kind === "dismissed" ? body.about.title : (current?.title ?? "");
    const history = [...(current?.history ?? []), change];
    dismissals.set(key, { key, title, reason: body.text, history });
  }
  return { names, dismissals, browserKeys };
}

const author = line(DRAFT_LIMITS.reviewerId).pipe(
  z.string().min(1, "Enter your name (shown with the change).").superRefine(refuseHidden),
);
const target = z.string().min(1).max(TRIAGE_LIMITS.target);
const base = z.int().min(0);

const nameSchema = z.object({
  key: z.string().regex(/^[\da-f]{16}$/u, "There is no such cluster."),
  name: line(TRIAGE_LIMITS.name).pipe(z.string().superRefine(refuseHidden)),
  cluster: clusterSchema,
  author,
  base,
});
const dismissSchema = z.object({
  key: target,
  title: line(TRIAGE_LIMITS.about).pipe(z.string().min(1)),
  reason: line(TRIAGE_LIMITS.reason).pipe(z.string().min(1, "Enter a reason (visible to others).")),
  author,
  base,
});
const restoreSchema = z.object({ key: target, reason: line(TRIAGE_LIMITS.reason).default(""), author, base });

interface Change {
  readonly key: string;
  readonly author: string;
  readonly base: number;
}

const createVerb =
  <Input extends Change>(schema: z.ZodType<Input>, toBody: (input: Input) => Note) =>
  async (
    store: AnnotationStore,
    unchecked: unknown,
    { browserKeyHash: actor }: Pick<Actor, "browserKeyHash"> = NO_ACTOR,
    now: Date = new Date(),
  ): Promise<void> => {
    const input = parseInput(schema, unchecked, "whole");
    const body = toBody(input);
    const { key: subject, author } = input;
    await store.write(async (db) => {
      const notes = await foldNotes(db);
      const current = (body.kind === "named" ? notes.names : notes.dismissals).get(subject);
      const last = current?.history.at(-1);
      if ((last?.seq ?? 0) !== input.base)
        throw new ConflictError(
          `${last?.author ?? "Another user"} changed this meanwhile. Look at it again.`,
          current ?? null,
        );
      if (body.kind === "restored")
        checkRestored(last, body.about !== null || isOwnChange(notes, input.base, actor));
      refuseBorrowedName(notes, current?.history ?? [], author, actor);
      await addStatements(db, [{ kind: "triage_note", subject, author, actor, at: now.toISOString(), body }]);
    });
  };

export const nameCluster = createVerb(nameSchema, ({ name, cluster: about }) => ({
  kind: "named",
  text: name === "" ? null : name,
  about,
}));

export const dismissFinding = createVerb(dismissSchema, ({ title, reason: text }) => ({
  kind: "dismissed",
  text,
  about: { title },
}));

/** Other browsers must give a reason. */
export const restoreFinding = createVerb(restoreSchema, ({ reason }) => ({
  kind: "restored",
  text: null,
  about: reason === "" ? null : { reason },
}));

function checkRestored(last: TriageChange | undefined, isExplained: boolean): void {
  if (last === undefined || last.text === null)
    throw new ValidationError("This finding is not dismissed.", {});
  const message = `Enter a reason (visible to others): ${last.author} dismissed it.`;
  if (!isExplained) throw new ValidationError(message, { reason: message });
}

/** True if this browser made the change, or its browser is unknown. */
export function isOwnChange(
  { browserKeys }: Pick<TriageNotes, "browserKeys">,
  seq: number,
  browserKeyHash: string | null,
): boolean {
  const key = browserKeys.get(seq);
  return key === undefined || key === browserKeyHash;
}

/** Users may change what others wrote, but only under their own name. */
function refuseBorrowedName(
  notes: TriageNotes,
  history: readonly TriageChange[],
  name: string,
  browserKeyHash: string | null,
): void {
  const nameKey = computeReviewerKey(name);
  const before = history.findLast(
    ({ seq, author: by }) => notes.browserKeys.has(seq) && computeReviewerKey(by) === nameKey,
  );
  if (before !== undefined && !isOwnChange(notes, before.seq, browserKeyHash))
    throw new ForbiddenError(
      `${before.author} changed this in another browser, and the history would show both of you as one person. Use another name.`,
    );
}
