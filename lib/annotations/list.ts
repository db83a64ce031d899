import type { Annotation, TrialIdentity } from "@/lib/domain/annotation";

import { computeChains, groupByTrial } from "./chain";
import type { ReviewerChain, TrialAnnotations } from "./chain";
import { type AnnotationEvent, selectEventsBetween, selectTrialEvents } from "./record";
import type { AnnotationDb } from "./migrations";
import type { AnnotationStore } from "./store";

/** The version that counts of every reviewer of the trial, the one who acted last first. May be empty. */
export async function listLatest(store: AnnotationStore, trial: TrialIdentity): Promise<Annotation[]> {
  const chains = await readHistory(store, trial);
  return chains.flatMap((chain) => chain.current ?? []);
}

/** Every version of every reviewer of the trial, the reviewer who acted last first. May be empty. */
export function readHistory(store: AnnotationStore, trial: TrialIdentity): Promise<ReviewerChain[]> {
  return store.read([], async (db) => computeChains(await selectTrialEvents(db, trial)));
}

/** Every trial that was ever annotated, the one with the newest event first, withdrawn ones included. */
export function listAll(store: AnnotationStore): Promise<readonly TrialAnnotations[]> {
  return store.read<readonly TrialAnnotations[]>([], async (db) => {
    const { lastSeq } = await db
      .selectFrom("annotation_version")
      .select(({ fn }) => fn.max<number | null>("seq").as("lastSeq"))
      .executeTakeFirstOrThrow();
    const known = lists.get(db);
    if (known?.lastSeq === lastSeq) return known.trials;
    const added = await selectEventsBetween(db, known?.lastSeq ?? null, lastSeq);
    const events = [...(known?.events ?? []), ...added];
    const trials = groupByTrial(events);
    lists.set(db, { lastSeq, events, trials });
    return trials;
  });
}

interface KnownList {
  readonly lastSeq: number | null;
  readonly events: readonly AnnotationEvent[];
  readonly trials: readonly TrialAnnotations[];
}

/** The last list of each open store. Rows are only ever added, so the highest number names the state. */
const lists = new WeakMap<AnnotationDb, KnownList>();
