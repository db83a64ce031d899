import { z } from "zod";

import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { ConflictError, ForbiddenError, ValidationError } from "@/lib/core/domain/app-error";
import { TRIAGE_LIMITS } from "@/lib/core/domain/triage-note";

import { insertStatements } from "../insert";
import { check, collectFieldMessages, describeFirstIssue, refuseHidden } from "../issues";
import { type Actor, NO_ACTOR } from "../owner";
import type { AnnotationStore } from "../store";
import { clusterSchema, line, NO_NOTES, selectNotes, type TriageChange, type TriageNotes } from "./note-rows";

const author = line(DRAFT_LIMITS.reviewerId).pipe(
  z.string().min(1, "Enter your name: it is shown with the change.").superRefine(refuseHidden),
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
  reason: line(TRIAGE_LIMITS.reason).pipe(z.string().min(1, "Say why: others will read it.")),
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
  const { key, name, cluster, ...change } = parse(nameSchema, input);
  await add(
    store,
    { kind: "named", target: key, text: name === "" ? null : name, about: cluster },
    { ...change, ...actor },
    now,
  );
}

export async function dismissFinding(
  store: AnnotationStore,
  input: unknown,
  actor: Pick<Actor, "browserKeyHash"> = NO_ACTOR,
  now: Date = new Date(),
): Promise<void> {
  const { key, title, reason, ...change } = parse(dismissSchema, input);
  await add(
    store,
    { kind: "dismissed", target: key, text: reason, about: { title } },
    { ...change, ...actor },
    now,
  );
}

/** Other browsers must give a reason. @throws ValidationError; ConflictError; ForbiddenError */
export async function restoreFinding(
  store: AnnotationStore,
  input: unknown,
  actor: Pick<Actor, "browserKeyHash"> = NO_ACTOR,
  now: Date = new Date(),
): Promise<void> {
  const { key, reason, ...change } = parse(restoreSchema, input);
  const about = reason === "" ? null : { reason };
  await add(store, { kind: "restored", target: key, text: null, about }, { ...change, ...actor }, now);
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
  change: {
    readonly author: string;
    readonly base: number;
    readonly browserKeyHash: string | null;
  },
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
    if (kind === "restored")
      checkRestored(last, about, ({ seq }) => isOwnChange(notes, seq, change.browserKeyHash));
    refuseBorrowedName(notes, current?.history ?? [], change);
    const row = {
      kind,
      target: key,
      text,
      about: JSON.stringify(about),
      author: change.author,
      created_at: now.toISOString(),
      browser_key_hash: change.browserKeyHash,
    };
    await insertStatements(db, "triage_note", [row]);
  });
}

function checkRestored(
  last: TriageChange | undefined,
  about: Event["about"],
  isOwn: (change: TriageChange) => boolean,
): void {
  if (last === undefined || last.text === null)
    throw new ValidationError("This finding is not dismissed.", {});
  if (about !== null || isOwn(last)) return;
  const message = `Say why: ${last.author} dismissed it, and others will read it.`;
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
      `${before.author} changed this in another browser, and the history would say that it was the same person. Use another name.`,
    );
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = check(schema, input);
  if (parsed.success) return parsed.data;
  throw new ValidationError(describeFirstIssue(parsed.error), collectFieldMessages(parsed.error, "whole"));
}
