import type { TrialIdentity } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import { oncePer } from "@/lib/core/domain/once-per";

import { computeChains, groupByTrial, type ReviewerChain, type TrialAnnotations } from "./chain";
import { readCodebook } from "./codebook/verbs";
import { readDecisions } from "./decisions/decisions";
import { describeUnreadableQueues, selectQueues } from "./queues/stored-queue";
import { readJudgments, selectTrialEvents } from "./record";
import { type AnnotationStore, getAnnotationStore } from "./store";
import { readImportedTags } from "./tags/tags";
import { readSuggestionAnswers } from "./triage/answers";
import { readTriageNotes } from "./triage/notes";
import { describeUnreadable } from "./unreadable-row";

export function readHistory(store: AnnotationStore, trial: TrialIdentity): Promise<ReviewerChain[]> {
  return store.read([], async (db) => computeChains(await selectTrialEvents(db, trial)));
}

export async function listAll(store: AnnotationStore): Promise<readonly TrialAnnotations[]> {
  return (await readEverything(store)).trials;
}

export type StoredAnnotations = Awaited<ReturnType<typeof readEverything>>;

export async function readEverything(store: AnnotationStore) {
  const stored = await readJudgments(store);
  return { ...stored, trials: listTrials(stored.events) };
}

const listTrials = oncePer(groupByTrial);

/** Grows with every event of any process; 0 if empty, null if unreadable. */
export async function readAnnotationsVersion(
  store: AnnotationStore = getAnnotationStore(),
): Promise<number | null> {
  try {
    return await store.read(0, async (db) => {
      const last = db.selectFrom("statement").select(({ fn }) => fn.max<number | null>("seq").as("seq"));
      return (await last.executeTakeFirstOrThrow()).seq ?? 0;
    });
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/** Returns the count and any problem. Never throws a StoreError, so that the page frame renders. */
export async function readAnnotationsState(store: AnnotationStore = getAnnotationStore()) {
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
        await store.read(null, async (db) => describeUnreadableQueues((await selectQueues(db)).unreadable)),
      ]);
    return { nCurrent, problem, isDamaged: false };
  } catch (error) {
    if (error instanceof StoreError)
      return { nCurrent: null, problem: error.message, isDamaged: error.code === "store_corrupt" };
    throw error;
  }
}

function joinProblems(problems: readonly (string | null)[]): string | null {
  const all = problems.filter((problem) => problem !== null);
  return all.length === 0 ? null : all.join(" ");
}
