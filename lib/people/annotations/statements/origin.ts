import type { AnnotationDb } from "../tables";

/** The open store of each transaction: what was folded of it is a beginning. */
const origins = new WeakMap<AnnotationDb, AnnotationDb>();

export function continueFrom(origin: AnnotationDb, transaction: AnnotationDb): AnnotationDb {
  origins.set(transaction, origin);
  return transaction;
}

export function findOrigin(db: AnnotationDb): AnnotationDb {
  return origins.get(db) ?? db;
}
