import type { TrialIdentity } from "@/lib/domain/annotation";

import { computeChains, groupByTrial, type ReviewerChain, type TrialAnnotations } from "./chain";
import { type AnnotationDb, selectRowsBetween, selectTrialEvents, type StoredRows } from "./record";
import type { AnnotationStore } from "./store";

/** Every version of every reviewer of the trial, the reviewer who acted last first. May be empty. */
export function readHistory(store: AnnotationStore, trial: TrialIdentity): Promise<ReviewerChain[]> {
  return store.read([], async (db) => computeChains(await selectTrialEvents(db, trial)));
}

/** Every trial that was ever annotated, the one with the newest event first, withdrawn ones included. */
export async function listAll(store: AnnotationStore): Promise<readonly TrialAnnotations[]> {
  return (await readEverything(store)).trials;
}

/** Everything in a store, as events and as trials, and what of it cannot be read. */
export interface StoredAnnotations extends StoredRows {
  /** As {@link listAll} gives them; the same object until something is saved. */
  readonly trials: readonly TrialAnnotations[];
}

/** Returns everything in the store; empty when there is no store yet. @throws StoreError */
export function readEverything(store: AnnotationStore): Promise<StoredAnnotations> {
  return store.read<StoredAnnotations>(NOTHING, async (db) => {
    const { lastSeq } = await db
      .selectFrom("annotation_version")
      .select(({ fn }) => fn.max<number | null>("seq").as("lastSeq"))
      .executeTakeFirstOrThrow();
    const known = lists.get(db);
    if (known?.lastSeq === lastSeq) return known.stored;
    const added = await selectRowsBetween(db, known?.lastSeq ?? null, lastSeq);
    const stored = combine(known?.stored ?? NOTHING, added);
    lists.set(db, { lastSeq, stored });
    return stored;
  });
}

const NOTHING: StoredAnnotations = { events: [], unreadable: [], trials: [] };

function combine(before: StoredAnnotations, added: StoredRows): StoredAnnotations {
  const events = [...before.events, ...added.events];
  return { events, unreadable: [...before.unreadable, ...added.unreadable], trials: groupByTrial(events) };
}

interface KnownList {
  readonly lastSeq: number | null;
  readonly stored: StoredAnnotations;
}

/** The last list of each open store. Rows are only ever added, so the highest number names the state. */
const lists = new WeakMap<AnnotationDb, KnownList>();
