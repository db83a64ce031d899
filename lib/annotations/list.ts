import type { TrialIdentity } from "@/lib/domain/annotation";
import { StoreError } from "@/lib/domain/app-error";

import { readCodebook } from "./codebook/verbs";
import { computeChains, groupByTrial, type ReviewerChain, type TrialAnnotations } from "./chain";
import { selectDecisionRows } from "./decisions/decision-rows";
import { describeUnreadableQueues, selectQueueRows } from "./queues/stored-queue";
import { type AnnotationDb, selectRowsBetween, selectTrialEvents, type StoredRows } from "./record";
import { type AnnotationStore, getAnnotationStore } from "./store";
import { readSuggestionAnswers } from "./triage/answers";
import { readImportedTags } from "./tags/tags";
import { readTriageNotes } from "./triage/note-rows";
import { describeUnreadable } from "./unreadable-row";

/** Every version of every reviewer of the trial, the reviewer who acted last first. May be empty. */
export function readHistory(store: AnnotationStore, trial: TrialIdentity): Promise<ReviewerChain[]> {
  return store.read([], async (db) => computeChains(await selectTrialEvents(db, trial)));
}

/** Every trial that was ever annotated, the one with the newest event first, withdrawn ones included. */
export async function listAll(store: AnnotationStore): Promise<readonly TrialAnnotations[]> {
  return (await readEverything(store)).trials;
}

export interface StoredAnnotations extends StoredRows {
  /** As {@link listAll} gives them; the same object until something is saved. */
  readonly trials: readonly TrialAnnotations[];
}

/** Returns everything in the store; empty when there is no store yet. @throws StoreError */
export function readEverything(store: AnnotationStore): Promise<StoredAnnotations> {
  return store.read<StoredAnnotations>(NOTHING, async (db) => {
    const lastSeq = await readLastSeq(db);
    const known = lists.get(db);
    if (known?.lastSeq === lastSeq) return known.stored;
    const added = await selectRowsBetween(db, known?.lastSeq ?? null, lastSeq);
    const stored = combine(known?.stored ?? NOTHING, added);
    lists.set(db, { lastSeq, stored });
    return stored;
  });
}

async function readLastSeq(db: AnnotationDb): Promise<number | null> {
  const { seq } = await db
    .selectFrom("annotation_version")
    .select(({ fn }) => fn.max<number | null>("seq").as("seq"))
    .executeTakeFirstOrThrow();
  return seq;
}

/** Of all that were ever made or undone: rows are only added. */
async function countRows(
  db: AnnotationDb,
  table: "adjudication" | "triage_note" | "suggestion_answer" | "tag_import",
): Promise<number> {
  const { n } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number | string>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(n);
}

const NOTHING: StoredAnnotations = { events: [], unreadable: [], trials: [] };

function combine(before: StoredAnnotations, added: StoredRows): StoredAnnotations {
  const events = [...before.events, ...added.events];
  return { events, unreadable: [...before.unreadable, ...added.unreadable], trials: groupByTrial(events) };
}

/** The last list of each open store. Rows are only ever added, so the highest number names the state. */
const lists = new WeakMap<
  AnnotationDb,
  { readonly lastSeq: number | null; readonly stored: StoredAnnotations }
>();

/** Grows with every event of any program; 0 without any, null when the store cannot be read. */
export async function readAnnotationsVersion(
  store: AnnotationStore = getAnnotationStore(),
): Promise<number | null> {
  try {
    return await store.read(
      0,
      async (db) =>
        ((await readLastSeq(db)) ?? 0) +
        (await countRows(db, "adjudication")) +
        (await countRows(db, "triage_note")) +
        (await countRows(db, "suggestion_answer")) +
        (await countRows(db, "tag_import")),
    );
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

export interface AnnotationsState {
  /** Judgments that count, one per reviewer and trial as lists tell trials apart; null when the store cannot be read. */
  readonly nCurrent: number | null;
  /** What cannot be read, and what to do; null when everything can. */
  readonly problem: string | null;
  /** Whether the file is damaged, of which an export has what can still be read. */
  readonly isDamaged: boolean;
}

/** Returns how many judgments count and what cannot be read; never throws a StoreError, so that the frame of pages stands. */
export async function readAnnotationsState(
  store: AnnotationStore = getAnnotationStore(),
): Promise<AnnotationsState> {
  try {
    const { trials, unreadable } = await readEverything(store);
    const nCurrent = trials.reduce(
      (sum, { chains }) => sum + chains.filter(({ current }) => current !== null).length,
      0,
    );
    const problem =
      describeUnreadable(store.place, unreadable) ??
      (await readCodebook(store)).problem ??
      (await readTriageNotes(store)).problem ??
      (await readSuggestionAnswers(store)).problem ??
      (await readImportedTags(store)).problem ??
      (await store.read(null, (db) => findAside(db, store.place)));
    return { nCurrent, problem, isDamaged: false };
  } catch (error) {
    if (error instanceof StoreError)
      return { nCurrent: null, problem: error.message, isDamaged: error.code === "store_corrupt" };
    throw error;
  }
}

/** Decisions and queues that cannot be read, of each open store. Rows are only ever added, so each is looked at once. */
const asides = new WeakMap<
  AnnotationDb,
  { readonly decisionSeq: number; readonly queueSeq: number; readonly problem: string | null }
>();

/** What is wrong with decisions and queues; null where nothing is. */
async function findAside(db: AnnotationDb, place: string): Promise<string | null> {
  const known = asides.get(db) ?? { decisionSeq: 0, queueSeq: 0, problem: null };
  const decisions = await selectDecisionRows(db, known.decisionSeq);
  const queues = await selectQueueRows(db, known.queueSeq);
  // One does not hide the other.
  const problems = [
    known.problem,
    describeUnreadable(place, decisions.unreadable, "decision"),
    describeUnreadableQueues(queues.unreadable),
  ].filter((problem) => problem !== null);
  const problem = problems.length === 0 ? null : problems.join(" ");
  asides.set(db, { decisionSeq: decisions.last, queueSeq: queues.last, problem });
  return problem;
}
