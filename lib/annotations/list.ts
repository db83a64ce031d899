import type BetterSqlite3 from "better-sqlite3";

import type { Annotation, TrialIdentity } from "@/lib/domain/annotation";

import { computeChains, groupByTrial } from "./chain";
import type { ReviewerChain, TrialAnnotations } from "./chain";
import { selectAllEvents, selectTrialEvents } from "./record";
import type { AnnotationStore } from "./store";

/** The version that counts of every reviewer of the trial, the one who acted last first. May be empty. */
export function listLatest(store: AnnotationStore, trial: TrialIdentity): Annotation[] {
  return readHistory(store, trial).flatMap((chain) => chain.current ?? []);
}

/** Every version of every reviewer of the trial, the reviewer who acted last first. May be empty. */
export function readHistory(store: AnnotationStore, trial: TrialIdentity): ReviewerChain[] {
  return store.read([], (db) => computeChains(selectTrialEvents(db, trial)));
}

/** Every trial that was ever annotated, the one with the newest event first, withdrawn ones included. */
export function listAll(store: AnnotationStore): readonly TrialAnnotations[] {
  return store.read([], (db) => {
    const lastSeq = Number(db.prepare("SELECT coalesce(max(seq), 0) FROM annotation_version").pluck().get());
    const known = lists.get(db);
    if (known?.lastSeq === lastSeq) return known.trials;
    const trials = groupByTrial(selectAllEvents(db));
    lists.set(db, { lastSeq, trials });
    return trials;
  });
}

/** The last list of each open file. Rows are only ever added, so the highest number names the state. */
const lists = new WeakMap<BetterSqlite3.Database, { lastSeq: number; trials: readonly TrialAnnotations[] }>();
