import { z } from "zod";

import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { ConflictError, ForbiddenError, ValidationError } from "@/lib/core/domain/app-error";
import { TRIAGE_LIMITS } from "@/lib/core/domain/triage-note";

import { check, collectFieldMessages, describeFirstIssue, refuseHidden } from "../issues";
import { type Actor, NO_ACTOR } from "../owner";
import { addStatements } from "../statements/statement";
import type { AnnotationStore } from "../store";
import { clusterSchema, foldNotes, line, type Note, type TriageChange, type TriageNotes } from "./note-rows";

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
const restoreSchema = z.object({
  key: target,
  reason: line(TRIAGE_LIMITS.reason).default(""),
  author,
  base,
});

export async function nameCluster(
  store: AnnotationStore,
  input: unknown,
  actor: Pick<Actor, "browserKeyHash"> = NO_ACTOR,
  now: Date = new Date(),
): Promise<void> {
  const { name, cluster: about, ...change } = parse(nameSchema, input);
  const text = name === "" ? null : name;
  await add(store, { kind: "named", text, about }, { ...change, ...actor }, now);
}

export async function dismissFinding(
  store: AnnotationStore,
  input: unknown,
  actor: Pick<Actor, "browserKeyHash"> = NO_ACTOR,
  now: Date = new Date(),
): Promise<void> {
  const { title, reason: text, ...change } = parse(dismissSchema, input);
  await add(store, { kind: "dismissed", text, about: { title } }, { ...change, ...actor }, now);
}

/** Other browsers must give a reason. @throws ValidationError; ConflictError; ForbiddenError */
export async function restoreFinding(
  store: AnnotationStore,
  input: unknown,
  actor: Pick<Actor, "browserKeyHash"> = NO_ACTOR,
  now: Date = new Date(),
): Promise<void> {
  const { reason, ...change } = parse(restoreSchema, input);
  const about = reason === "" ? null : { reason };
  await add(store, { kind: "restored", text: null, about }, { ...change, ...actor }, now);
}

async function add(
  store: AnnotationStore,
  body: Note,
  change: {
    readonly key: string;
    readonly author: string;
    readonly base: number;
    readonly browserKeyHash: string | null;
  },
  now: Date,
): Promise<void> {
  await store.write(async (db) => {
    const notes = await foldNotes(db);
    const { key: subject, author, browserKeyHash: actor } = change;
    const current = (body.kind === "named" ? notes.names : notes.dismissals).get(subject);
    const last = current?.history.at(-1);
    if ((last?.seq ?? 0) !== change.base)
      throw new ConflictError(
        `${last?.author ?? "Another user"} changed this meanwhile. Look at it again.`,
        current ?? null,
      );
    if (body.kind === "restored")
      checkRestored(last, body.about, ({ seq }) => isOwnChange(notes, seq, actor));
    refuseBorrowedName(notes, current?.history ?? [], change);
    await addStatements(db, [{ kind: "triage_note", subject, author, actor, at: now.toISOString(), body }]);
  });
}

function checkRestored(
  last: TriageChange | undefined,
  about: object | null,
  isOwn: (change: TriageChange) => boolean,
): void {
  if (last === undefined || last.text === null)
    throw new ValidationError("This finding is not dismissed.", {});
  if (about !== null || isOwn(last)) return;
  const message = `Enter a reason (visible to others): ${last.author} dismissed it.`;
  throw new ValidationError(message, { reason: message });
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
  { author: name, browserKeyHash }: { readonly author: string; readonly browserKeyHash: string | null },
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

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = check(schema, input);
  if (parsed.success) return parsed.data;
  throw new ValidationError(describeFirstIssue(parsed.error), collectFieldMessages(parsed.error, "whole"));
}
