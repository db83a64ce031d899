import type { TrialIdentity } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";

import { computeChains, groupByTrial, type ReviewerChain, type TrialAnnotations } from "./chain";
import { readCodebook } from "./codebook/verbs";
import { readDecisions } from "./decisions/decision-rows";
import { describeUnreadableQueues, selectQueueRows } from "./queues/stored-queue";
import { type AnnotationDb, selectRowsBetween, selectTrialEvents, type StoredRows } from "./record";
import { type AnnotationStore, getAnnotationStore } from "./store";
import { readImportedTags } from "./tags/tags";
import { readSuggestionAnswers } from "./triage/answers";
import { readTriageNotes } from "./triage/note-rows";
import { describeUnreadable } from "./unreadable-row";

export function readHistory(store: AnnotationStore, trial: TrialIdentity): Promise<ReviewerChain[]> {
  return store.read([], async (db) => computeChains(await selectTrialEvents(db, trial)));
}

export async function listAll(store: AnnotationStore): Promise<readonly TrialAnnotations[]> {
  return (await readEverything(store)).trials;
}

export interface StoredAnnotations extends StoredRows {
  readonly trials: readonly TrialAnnotations[];
}

export function readEverything(store: AnnotationStore): Promise<StoredAnnotations> {
  return store.read<StoredAnnotations>(NOTHING, async (db) => {
    const lastSeq = await readLastSeq(db, "annotation_version");
    const known = lists.get(db);
    if (known?.lastSeq === lastSeq) return known.stored;
    const added = await selectRowsBetween(db, known?.lastSeq ?? null, lastSeq);
    const stored = combine(known?.stored ?? NOTHING, added);
    lists.set(db, { lastSeq, stored });
    return stored;
  });
}

async function readLastSeq(
  db: AnnotationDb,
  table: "annotation_version" | "statement",
): Promise<number | null> {
  const { seq } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.max<number | null>("seq").as("seq"))
    .executeTakeFirstOrThrow();
  return seq;
}

const NOTHING: StoredAnnotations = { events: [], unreadable: [], trials: [] };

function combine(before: StoredAnnotations, added: StoredRows): StoredAnnotations {
  const events = [...before.events, ...added.events];
  return { events, unreadable: [...before.unreadable, ...added.unreadable], trials: groupByTrial(events) };
}

/** The last list of each open store. Rows are only added, so the highest number identifies the state. */
const lists = new WeakMap<
  AnnotationDb,
  { readonly lastSeq: number | null; readonly stored: StoredAnnotations }
>();

/** Grows with every event of any process; 0 if empty, null if unreadable. */
export async function readAnnotationsVersion(
  store: AnnotationStore = getAnnotationStore(),
): Promise<number | null> {
  try {
    return await store.read(0, async (db) => {
      let version = 0;
      for (const table of ["annotation_version", "statement"] as const)
        version += (await readLastSeq(db, table)) ?? 0;
      return version;
    });
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

export interface AnnotationsState {
  readonly nCurrent: number | null;
  readonly problem: string | null;
  readonly isDamaged: boolean;
}

/** Returns the count and any problem. Never throws a StoreError, so that the page frame renders. */
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
      describeUnreadable(store.place, await store.readDamage()) ??
      describeUnreadable(store.place, unreadable) ??
      (await readCodebook(store)).problem ??
      (await readTriageNotes(store)).problem ??
      (await readSuggestionAnswers(store)).problem ??
      (await readImportedTags(store)).problem ??
      joinProblems([
        describeUnreadable(store.place, (await readDecisions(store)).unreadable, "decision"),
        await store.read(null, findAside),
      ]);
    return { nCurrent, problem, isDamaged: false };
  } catch (error) {
    if (error instanceof StoreError)
      return { nCurrent: null, problem: error.message, isDamaged: error.code === "store_corrupt" };
    throw error;
  }
}

/** Unreadable queues of each open store. Rows are only added, so each is checked once. */
const asides = new WeakMap<AnnotationDb, { readonly last: number; readonly problem: string | null }>();

async function findAside(db: AnnotationDb): Promise<string | null> {
  const known = asides.get(db) ?? { last: 0, problem: null };
  const { unreadable, last } = await selectQueueRows(db, known.last);
  const problem = joinProblems([known.problem, describeUnreadableQueues(unreadable)]);
  asides.set(db, { last, problem });
  return problem;
}

function joinProblems(problems: readonly (string | null)[]): string | null {
  const all = problems.filter((problem) => problem !== null);
  return all.length === 0 ? null : all.join(" ");
}
